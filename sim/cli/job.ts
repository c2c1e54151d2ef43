import type { FaultKind } from '../faults/fault-kinds.ts'
import type { RunResult } from '../run/run-seed.ts'

/** The job of one simulator process. */
export interface Job {
  readonly seeds: readonly number[]
  readonly without: readonly FaultKind[]
  readonly isTraced: boolean
  /** The planted bug to run with. */
  readonly mutant?: string | undefined
  /** True to stop at the first failure. */
  readonly isBrief?: boolean
  /** True to find the faults that the seed's failure needs. */
  readonly isExplained?: boolean
}

/** The process's report on one seed. If the run threw, the report contains the error's message instead of a result. */
export type SeedReport =
  | { readonly kind: 'ran'; readonly result: RunResult }
  | { readonly kind: 'threw'; readonly seed: number; readonly message: string }

/**
 * A message of a process. The last message states the processor time that the process has used, including its start.
 */
export type Report = SeedReport | { readonly kind: 'spent'; readonly cpuMs: number }
