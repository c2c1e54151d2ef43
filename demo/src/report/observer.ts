import type { Stage } from '../stage.ts'

/** What the public chain shows of one delivery or refund. */
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
