/**
 * The limit for a line's ratio: `>= 0.5` requires at least half of the baseline, and `<= 5` allows at most 5 times the
 * baseline.
 */
export type Bar = `${'>=' | '<='} ${number}`

/** One measured value, with its baseline: a value of the same run, or a limit that we chose. */
export interface Line {
  readonly name: string
  readonly unit: string
  readonly value: number
  readonly baseline: number
  /** `value / baseline`. */
  readonly ratio: number
  /** The limit for the ratio; null if the line has no limit. */
  readonly bar: Bar | null
  readonly ok: boolean
}

export interface Measured {
  readonly name: string
  readonly unit: string
  /** The measured value of each round, in the order of the rounds. */
  readonly values: readonly number[]
  readonly baselines: readonly number[]
  readonly bar: Bar | null
}

/** The median. For an even number of values, it is the mean of the two values in the middle. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right)
  const low = sorted[Math.floor((sorted.length - 1) / 2)]
  const high = sorted[Math.ceil((sorted.length - 1) / 2)]
  if (low === undefined || high === undefined) throw new Error('no rounds were measured')
  return (low + high) / 2
}

const DIGITS = 4

const rounded = (number: number): number => Number(number.toPrecision(DIGITS))

export function holds(ratio: number, bar: Bar): boolean {
  const bound = Number(bar.slice(3))
  return bar.startsWith('>=') ? ratio >= bound : ratio <= bound
}

/**
 * Builds a line from the medians of all rounds. Its ratio is the ratio of the medians, so one busy round on a shared
 * machine changes it little. A line without a limit never counts as missed.
 */
export function lineOf({ name, unit, values, baselines, bar }: Measured, judge: boolean): Line {
  const value = medianOf(values)
  const baseline = medianOf(baselines)
  const ratio = value / baseline
  if (!Number.isFinite(ratio)) throw new Error(`${name} measured nothing`)
  return {
    ...{ name, unit, value: rounded(value), baseline: rounded(baseline), ratio: rounded(ratio) },
    bar: judge ? bar : null,
    ok: !judge || bar === null || holds(ratio, bar),
  }
}
