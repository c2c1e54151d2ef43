import type { Line } from './report/line.ts'

export interface SuiteOptions {
  /**
   * True to run everything in one short round. The measured values are then meaningless, and they aren't compared with
   * limits.
   */
  readonly quick: boolean
  /** True if the user requested the measurement with this name. */
  readonly wants: (name: string) => boolean
  /** Reports progress on standard error. */
  readonly progress: (text: string) => void
}

/**
 * A group of measurements. Each suite has a folder here and an entry in `suites.ts`. Machines differ and are shared.
 * So if a value is compared with a baseline that depends on the machine, both are measured in the same run, in
 * alternating rounds.
 */
export interface Suite {
  readonly measures: string
  readonly run: (options: SuiteOptions) => Promise<Line[]>
}
