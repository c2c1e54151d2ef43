import { closedLoop } from '../load/closed-loop.ts'
import { openLoop, quantile } from '../load/open-loop.ts'
import type { Shot, Target } from '../load/target.ts'
import { medianOf, type Bar, type Measured } from '../report/line.ts'

type Next = () => Shot | undefined

/** One kind of request, to the product and to its baseline. */
export interface Operation {
  readonly name: string
  /** Least share of the baseline's peak rate; null where it only reports. */
  readonly bar: Bar | null
  /** Makes ready so many requests for the product; those that can be repeated never end. */
  readonly prepare: (count: number) => Promise<Next>
  readonly bare: Next
}

export interface Sizes {
  readonly rounds: number
  readonly seconds: number
  readonly clients: number
}

export interface Sides {
  readonly product: Omit<Target, 'next'>
  readonly bare: Omit<Target, 'next'>
}

/** Enough to keep one process busy; more only wait. */
export const CLIENTS = 32
/** The first guess of how many requests a round takes; later ones follow what was measured. */
const FIRST_RATE = 500
const SPARE = 1.3

/** Peak rates of both sides in turns. */
export async function comparePeaks(sides: Sides, of: Operation, sizes: Sizes) {
  const values: number[] = []
  const baselines: number[] = []
  let rate = FIRST_RATE
  // The first round warms both processes up and counts for nothing.
  for (let round = 0; round <= sizes.rounds; round += 1) {
    const next = await of.prepare(Math.ceil(rate * sizes.seconds * SPARE))
    const value = await closedLoop({ ...sides.product, next }, sizes)
    const baseline = await closedLoop({ ...sides.bare, next: of.bare }, sizes)
    rate = Math.max(rate, value)
    if (round === 0) continue
    values.push(value)
    baselines.push(baseline)
  }
  return { values, baselines }
}

const P99 = 0.99

/** Latencies of both sides in turns, at the same rate: half of what the product can do. */
export async function compareTails(sides: Sides, of: Operation, rate: number, sizes: Sizes) {
  const values: number[] = []
  const baselines: number[] = []
  for (let round = 0; round < sizes.rounds; round += 1) {
    const load = { rate, seconds: sizes.seconds }
    const next = await of.prepare(Math.ceil(rate * sizes.seconds))
    values.push(quantile(await openLoop({ ...sides.product, next }, load), P99))
    baselines.push(quantile(await openLoop({ ...sides.bare, next: of.bare }, load), P99))
  }
  return { values, baselines }
}

/** Both measurements of an operation. */
export async function compare(
  sides: Sides,
  of: Operation,
  sizes: Sizes,
  tailBar: Bar | null,
): Promise<Measured[]> {
  const peaks = await comparePeaks(sides, of, sizes)
  const peak: Measured = { name: of.name, unit: 'req/s', ...peaks, bar: of.bar }
  if (tailBar === null) return [peak]
  const rate = medianOf(peaks.values) / 2
  const tails = await compareTails(sides, of, rate, sizes)
  return [peak, { name: `${of.name}, p99 at half the peak`, unit: 'ms', ...tails, bar: tailBar }]
}
