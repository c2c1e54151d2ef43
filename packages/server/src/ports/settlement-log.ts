import type { AlertCode, EventName, StepName } from '../domain/log-names.ts'

/** Reports of settlement. They contain only codes, never an address, an amount, a key or a body. */
export interface SettlementLog {
  /**
   * Something that an operator must act on. If the alert concerns one order, `pseudonym` is that order's pseudonym in
   * hex. An operator who has the epoch's key can find the order with it.
   */
  readonly alert: (code: AlertCode, pseudonym?: string) => void
  /** A step failed and will be tried again. Only the error's kind may be logged, not its text. */
  readonly failed: (step: StepName, error: unknown) => void
  /** A milestone, counted by name. */
  readonly event: (name: EventName) => void
}
