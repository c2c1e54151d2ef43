import type { FaultKind } from '../faults/fault-kinds.ts'
import type { RunResult } from '../run/run-seed.ts'

/** What a process of the simulator is given to do. */
export interface Job {
  readonly seeds: readonly number[]
  readonly without: readonly FaultKind[]
  readonly isTraced: boolean
  /** The planted bug to run with. */
  readonly mutant?: string | undefined
  /** True where nothing after the first failure is of interest. */
  readonly isBrief?: boolean
  /** True where it is to be found out what the seed's failure takes. */
  readonly isExplained?: boolean
}

/** What it tells of each seed; a run that threw has a failure in place of a result. */
export type SeedReport =
  | { readonly kind: 'ran'; readonly result: RunResult }
  | { readonly kind: 'threw'; readonly seed: number; readonly message: string }

/** All that it tells; in the end, what it has cost, its own start included. */
export type Report = SeedReport | { readonly kind: 'spent'; readonly cpuMs: number }
