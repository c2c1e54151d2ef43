import type { Line } from './report/line.ts'

export interface SuiteOptions {
  /** One short round of everything, whose figures are meaningless and not judged. */
  readonly quick: boolean
  /** True for the requested measurements, by name. */
  readonly wants: (name: string) => boolean
  /** Reports progress on standard error. */
  readonly progress: (text: string) => void
}

/**
 * One benchmark: a folder here, entered in `suites.ts`. Each line's baseline is measured in the same
 * run, interleaved with the value, because machines differ and are shared.
 */
export interface Suite {
  readonly measures: string
  readonly run: (options: SuiteOptions) => Promise<Line[]>
}
