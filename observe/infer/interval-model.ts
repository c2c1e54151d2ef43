/**
 * A distribution of waiting times as a histogram over fixed bins. It begins with a prior and learns from the
 * intervals that a state of the sampler contains: the posterior mean under a Dirichlet prior.
 */
export class IntervalModel {
  readonly #edges: readonly number[]
  readonly #prior: readonly number[]
  /** For each whole second up to `TABLE_SECONDS`: its bin. The sampler asks for bins more often than for anything else. */
  readonly #binOfSecond: readonly number[]
  #density: number[] = []
  #logDensity: number[] = []
  /** For each bin: the chance that an interval lasts at least as long as the bin's lower edge. */
  #surviving: number[] = []

  /**
   * `prior` holds the weight of each bin between two `edges`, in observations. `edges` are seconds, ascending from 0;
   * an interval that is longer than the last edge has the last bin's density. Edges are whole.
   */
  constructor(edges: readonly number[], prior: readonly number[]) {
    if (edges[0] !== 0 || prior.length !== edges.length - 1) {
      throw new RangeError('a histogram needs edges from 0 and a weight for each bin')
    }
    this.#edges = edges
    this.#prior = prior
    this.#binOfSecond = Array.from({ length: TABLE_SECONDS }, (_, second) =>
      this.#searchBin(second, 0),
    )
    this.learn([])
  }

  /** Forgets earlier intervals and learns from these, in seconds, each with a weight up to 1. */
  learn(intervals: readonly { readonly seconds: number; readonly weight: number }[]): void {
    const weights = [...this.#prior]
    for (const { seconds, weight } of intervals) {
      const bin = this.#binOf(seconds)
      weights[bin] = (weights[bin] ?? 0) + weight
    }
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    this.#density = weights.map((weight, bin) => weight / total / this.#widthOf(bin))
    this.#logDensity = this.#density.map(Math.log)
    this.#surviving = []
    let left = 1
    for (const weight of weights) {
      this.#surviving.push(left)
      left -= weight / total
    }
  }

  /** The logarithm of the density at `seconds`, per second. */
  logDensity(seconds: number): number {
    return this.#logDensity[this.#binOf(seconds)] ?? -Infinity
  }

  /** The logarithm of the chance that an interval lasts longer than `seconds`. */
  logSurvival(seconds: number): number {
    const bin = this.#binOf(seconds)
    const into = Math.min(1, (seconds - (this.#edges[bin] ?? 0)) / this.#widthOf(bin))
    const mass = (this.#density[bin] ?? 0) * this.#widthOf(bin)
    return Math.log(Math.max((this.#surviving[bin] ?? 0) - into * mass, LEAST_SURVIVAL))
  }

  #binOf(seconds: number): number {
    if (seconds < 0) return 0
    const known = this.#binOfSecond[Math.floor(seconds)]
    return known ?? this.#searchBin(seconds, this.#binOfSecond.at(-1) ?? 0)
  }

  /** The bin of `seconds`, which is `from` or a later one. */
  #searchBin(seconds: number, from: number): number {
    let bin = from
    while (bin < this.#prior.length - 1 && seconds >= (this.#edges[bin + 1] ?? Infinity)) bin += 1
    return bin
  }

  #widthOf(bin: number): number {
    return (this.#edges[bin + 1] ?? 0) - (this.#edges[bin] ?? 0)
  }
}

/** Seconds for which the bin is looked up instead of searched. */
const TABLE_SECONDS = 7_200

/** The least chance. It isn't 0, because a delivery may be later than all that were seen. */
const LEAST_SURVIVAL = 1e-4

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400
const EDGES = [
  ...[0, 5, 10, 15, 20, 30, 45, MINUTE, 75, 90, 120, 180, 300, 450, 600, 900, 1_200, 1_800],
  ...[2_700, HOUR, 4_200, 2 * HOUR, 4 * HOUR, 8 * HOUR, DAY, 2 * DAY, 4 * DAY, 8 * DAY, 31 * DAY],
]

/** Spreads one observation over the bins, in proportion to each bin's part in a range, on a logarithmic scale. */
function logUniform(from: number, to: number, weight: number): number[] {
  const whole = Math.log(to / from)
  return EDGES.slice(1).map((upper, bin) => {
    const low = Math.max(EDGES[bin] ?? 0, from)
    const high = Math.min(upper, to)
    return high > low ? (weight * Math.log(high / low)) / whole : 0
  })
}

const sum = (...parts: readonly number[][]): number[] =>
  EDGES.slice(1).map((_, bin) => parts.reduce((total, part) => total + (part[bin] ?? 0), 0))

/**
 * The delay of a transfer before anything is learnt: from ten seconds to the longest delay that the service documents,
 * with the same weight for each order of magnitude, and a small weight for all other delays.
 */
export const transferDelays = (): IntervalModel =>
  new IntervalModel(EDGES, sum(logUniform(10, HOUR, 4), logUniform(1, 31 * DAY, 0.5)))

/**
 * The time between two payments of a balance, or from its top-up to the first one, with the same weight for each order
 * of magnitude.
 */
export const paymentIntervals = (): IntervalModel =>
  new IntervalModel(EDGES, sum(logUniform(5, 31 * DAY, 6)))
