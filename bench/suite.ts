import type { Line } from './report/line.ts'

export interface SuiteOptions {
  /** One short round of everything, whose figures mean nothing and are held to no bar. */
  readonly quick: boolean
  /** True for the measurements that were asked for, by name. */
  readonly wants: (name: string) => boolean
  /** Says on standard error what is under way. */
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
