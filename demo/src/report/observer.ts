import type { Stage } from '../stage.ts'

/** An observer's view of one delivery or refund on the public chain. */
export interface Observation {
  readonly transfer: string
  readonly amount: bigint
  /** Deposits of this run that could have produced it: same asset, same value. */
  readonly candidates: number
}

/** Counts, for each settlement, the deposits that an observer can't distinguish from its own. */
export function observe(stage: Stage): Observation[] {
  return stage.transfers.map((one) => ({
    transfer: one.name,
    amount: one.paid,
    candidates: stage.transfers.filter(
      (other) => other.asset === one.asset && other.value === one.value,
    ).length,
  }))
}
