import type { AlertCode, EventName, StepName } from '../domain/log-names.ts'

/** Reports of settlement. They contain only codes, never an address, an amount, a key or a body. */
export interface SettlementLog {
  /**
   * Something that an operator must act on. If it concerns one order, it has the order's pseudonym in hex, by
   * which an operator with the epoch's key finds the order.
   */
  readonly alert: (code: AlertCode, pseudonym?: string) => void
  /** A step failed and will be tried again. Only the error's kind may be logged, not its text. */
  readonly failed: (step: StepName, error: unknown) => void
  /** A milestone, counted by name. */
  readonly event: (name: EventName) => void
}
