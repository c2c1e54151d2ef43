import type { Line } from './report/line.ts'

export interface SuiteOptions {
  /** True for one short round of everything. Its figures are meaningless and not judged. */
  readonly quick: boolean
  /** True for the requested measurements, by name. */
  readonly wants: (name: string) => boolean
  /** Reports progress on standard error. */
  readonly progress: (text: string) => void
}

/**
 * One benchmark: a folder here, entered in `suites.ts`. Each line's baseline is measured in the same run, in turns with
 * the value, because machines differ and are shared.
 */
export interface Suite {
  readonly measures: string
  readonly run: (options: SuiteOptions) => Promise<Line[]>
}
