import { cpuSeconds } from '../load/cpu-seconds.ts'
import { closedLoop } from '../load/closed-loop.ts'
import { CONNECTIONS, openLoop, quantile } from '../load/open-loop.ts'
import type { Shot, Target } from '../load/target.ts'
import { medianOf, type Bar, type Measured } from '../report/line.ts'

type Next = () => Shot | undefined

/** One kind of request, sent to the product and to its baseline. */
export interface Operation {
  readonly name: string
  /** The minimum ratio of the product's peak rate to the baseline's; null if there is no limit. */
  readonly bar: Bar | null
  /** Prepares `count` requests for the product. If requests can be repeated, each of them may be sent several times. */
  readonly prepare: (count: number) => Promise<Next>
  readonly bare: Next
}

export interface Sizes {
  readonly rounds: number
  readonly seconds: number
  readonly clients: number
}

export interface Side extends Omit<Target, 'next'> {
  /** The server's process. */
  readonly pid: number
}

export interface Sides {
  readonly product: Side
  readonly bare: Side
}

/**
 * Number of connections. It is enough to keep one process busy. With more connections, requests would only wait longer.
 */
export const CLIENTS = 32
/**
 * The assumed rate before the first round. The number of prepared requests is computed from it. Later rounds use the
 * measured rate.
 */
const FIRST_RATE = 500
const SPARE = 1.3

/**
 * The warm-up of each side ends after this number of requests, or after this number of seconds. By then, the JIT
 * compilers of both sides have finished.
 */
const WARM_UP = { requests: 4_000, seconds: 20 }

/** Runs one round. Returns the rate, and the server's own processor time for each request in microseconds. */
async function runRound(side: Side, next: Next, sizes: Sizes) {
  const before = cpuSeconds(side.pid)
  const { requests, seconds } = await closedLoop({ ...side, next }, sizes)
  const cpuMicros = ((cpuSeconds(side.pid) - before) * 1e6) / requests
  return { rate: requests / seconds, cpuMicros }
}

/**
 * Warms up both sides. The warm-up ends after a fixed number of requests, because a busy machine needs more time for
 * the same number. The time has only an upper limit.
 */
async function warmUp({ product, bare }: Sides, of: Operation, { clients }: Sizes): Promise<void> {
  const { requests, seconds } = WARM_UP
  const first = (next: Next): Next => {
    let left = requests
    return () => (left-- > 0 ? next() : undefined)
  }
  const next = first(await of.prepare(requests))
  await closedLoop({ ...product, next }, { clients, seconds })
  await closedLoop({ ...bare, next: first(of.bare) }, { clients, seconds })
}

/** Measures the peak rates of both sides, in alternating rounds. */
export async function comparePeaks(
  sides: Sides,
  of: Operation,
  sizes: Sizes,
  progress: (text: string) => void,
) {
  const values: number[] = []
  const baselines: number[] = []
  const cpu: number[] = []
  const bareCpu: number[] = []
  let rate = FIRST_RATE
  if (sizes.rounds > 1) await warmUp(sides, of, sizes)
  for (let round = 0; round < sizes.rounds; round += 1) {
    const next = await of.prepare(Math.ceil(rate * sizes.seconds * SPARE))
    const product = await runRound(sides.product, next, sizes)
    const bare = await runRound(sides.bare, of.bare, sizes)
    rate = Math.max(rate, product.rate)
    values.push(product.rate)
    baselines.push(bare.rate)
    cpu.push(product.cpuMicros)
    bareCpu.push(bare.cpuMicros)
  }
  const [own = Number.NaN, base] = [medianOf(cpu), medianOf(bareCpu)].map(Math.round)
  if (!Number.isNaN(own))
    progress(`    ${of.name}: server ${own} us a request, baseline ${base} us`)
  return { values, baselines, cpu, bareCpu }
}

const P99 = 0.99

/**
 * Measures the latencies of both sides in alternating rounds. Both sides get requests at the same rate: half of the
 * product's peak rate.
 */
export async function compareTails(sides: Sides, of: Operation, rate: number, sizes: Sizes) {
  const values: number[] = []
  const baselines: number[] = []
  for (let round = 0; round < sizes.rounds; round += 1) {
    const load = { rate, seconds: sizes.seconds }
    const next = await of.prepare(Math.ceil(rate * sizes.seconds) + CONNECTIONS)
    values.push(quantile(await openLoop({ ...sides.product, next }, load), P99))
    baselines.push(quantile(await openLoop({ ...sides.bare, next: of.bare }, load), P99))
  }
  return { values, baselines }
}

/** Measures an operation's peak rates and latencies. If `tailBar` is null, measures processor times, not latencies. */
export async function compare(
  sides: Sides,
  of: Operation,
  sizes: Sizes,
  tailBar: Bar | null,
  progress: (text: string) => void,
): Promise<Measured[]> {
  const { values, baselines, cpu, bareCpu } = await comparePeaks(sides, of, sizes, progress)
  const peak: Measured = { name: of.name, unit: 'req/s', values, baselines, bar: of.bar }
  if (tailBar === null) {
    const own = { name: `${of.name}, processor time`, unit: 'us', bar: null }
    return [peak, { ...own, values: cpu, baselines: bareCpu }]
  }
  const rate = medianOf(values) / 2
  const tails = await compareTails(sides, of, rate, sizes)
  return [peak, { name: `${of.name}, p99 at half the peak`, unit: 'ms', ...tails, bar: tailBar }]
}
