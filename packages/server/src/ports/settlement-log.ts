import type { AlertCode, EventName, StepName } from '../domain/log-names.ts'

/** Reports of settlement. They contain only codes and pseudonyms, never an address, an amount, a key or a body. */
export interface SettlementLog {
  /**
   * Reports something that an operator must act on. If the alert concerns one order, `pseudonym` is the pseudonym of
   * that order in hex. An operator who has the epoch's key can find the order by its pseudonym.
   */
  readonly alert: (code: AlertCode, pseudonym?: string) => void
  /** Reports that a step failed and will be tried again. Only the error's kind may be logged, not its text. */
  readonly failed: (step: StepName, error: unknown) => void
  /** Reports a milestone. Milestones are counted by name. */
  readonly event: (name: EventName) => void
}
