import type { FaultKind } from '../faults/fault-kinds.ts'
import type { RunResult } from '../run/run-seed.ts'

/** The job of one simulator process. */
export interface Job {
  readonly seeds: readonly number[]
  readonly without: readonly FaultKind[]
  readonly isTraced: boolean
  /** The name of the planted bug, if the job runs with one. */
  readonly mutant?: string | undefined
  /** True to stop at the first failure. */
  readonly isBrief?: boolean
  /** True to find the kinds of faults that a failure of the seed needs. */
  readonly isExplained?: boolean
}

/** A process's report on one seed. If the run threw an error, the report contains the error's message and no result. */
export type SeedReport =
  | { readonly kind: 'ran'; readonly result: RunResult }
  | { readonly kind: 'threw'; readonly seed: number; readonly message: string }

/**
 * A message from a process. The last message states the processor time that the process has used, including its start.
 */
export type Report = SeedReport | { readonly kind: 'spent'; readonly cpuMs: number }
