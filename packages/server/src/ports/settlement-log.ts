import type { AlertCode, EventName, StepName } from '../domain/log-names.ts'

/** What settlement reports. Codes only: never an address, an amount, a key or a body. */
export interface SettlementLog {
  /**
   * Something that an operator must look at; of one order, with the order's pseudonym in hex, by which an
   * operator who holds the epoch's key finds it.
   */
  readonly alert: (code: AlertCode, pseudonym?: string) => void
  /** A step failed and will be tried again. Only the error's kind may be written, not its text. */
  readonly failed: (step: StepName, error: unknown) => void
  /** A milestone, counted by name. */
  readonly event: (name: EventName) => void
}
