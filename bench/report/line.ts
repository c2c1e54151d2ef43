/** The limit of a line's ratio: `>= 0.5` requires at least half of the baseline, `<= 5` at most 5 times it. */
export type Bar = `${'>=' | '<='} ${number}`

/** One measured value, with its baseline of the same run. */
export interface Line {
  readonly name: string
  readonly unit: string
  readonly value: number
  readonly baseline: number
  /** `value / baseline`. */
  readonly ratio: number
  /** Null if the line has no limit. */
  readonly bar: Bar | null
  readonly ok: boolean
}

export interface Measured {
  readonly name: string
  readonly unit: string
  /** One number for each round, in the order of the rounds. */
  readonly values: readonly number[]
  readonly baselines: readonly number[]
  readonly bar: Bar | null
}

/** The median. For an even number of values, the mean of the two in the middle. */
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
 * Uses the medians of all rounds and their ratio, so that one busy round on a shared machine doesn't decide the result.
 * A line without a limit isn't judged.
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
