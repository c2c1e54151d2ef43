/**
 * A distribution of waiting times, as a histogram over fixed bins. It starts with a prior distribution. The sampler
 * repeatedly replaces it by the posterior mean under a Dirichlet prior, computed from the intervals of the current
 * links.
 */
export class IntervalModel {
  readonly #edges: readonly number[]
  readonly #prior: readonly number[]
  /**
   * For each whole second up to `TABLE_SECONDS`: the bin of that second. This table saves time, because the sampler
   * looks up bins more often than it does anything else.
   */
  readonly #binOfSecond: readonly number[]
  #density: number[] = []
  #logDensity: number[] = []
  /** For each bin: the chance that an interval lasts at least as long as the bin's lower edge. */
  #surviving: number[] = []

  /**
   * `edges` are the bins' limits in whole seconds, ascending from 0. `prior` has the weight of each bin between two
   * edges, in observations. For an interval that is longer than the last edge, the last bin's density is used.
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

  /**
   * Learns from these intervals, and forgets all intervals of earlier calls. An interval counts as `weight`
   * observations.
   */
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

  /** Finds the bin of `seconds`, which must be `from` or a later bin. */
  #searchBin(seconds: number, from: number): number {
    let bin = from
    while (bin < this.#prior.length - 1 && seconds >= (this.#edges[bin + 1] ?? Infinity)) bin += 1
    return bin
  }

  #widthOf(bin: number): number {
    return (this.#edges[bin + 1] ?? 0) - (this.#edges[bin] ?? 0)
  }
}

/** Up to this number of seconds, the bin is read from a table instead of searched. */
const TABLE_SECONDS = 7_200

/** The smallest chance of survival. It isn't 0, because a delivery may come later than all earlier deliveries did. */
const LEAST_SURVIVAL = 1e-4

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400
const EDGES = [
  ...[0, 5, 10, 15, 20, 30, 45, MINUTE, 75, 90, 120, 180, 300, 450, 600, 900, 1_200, 1_800],
  ...[2_700, HOUR, 4_200, 2 * HOUR, 4 * HOUR, 8 * HOUR, DAY, 2 * DAY, 4 * DAY, 8 * DAY, 31 * DAY],
]

/**
 * Spreads one observation over the bins. Each bin gets a weight in proportion to its part of the range, on a
 * logarithmic scale.
 */
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
 * The prior distribution of a transfer's delay. Each order of magnitude from ten seconds to the longest documented
 * delay has the same weight. All other delays have a small weight.
 */
export const transferDelays = (): IntervalModel =>
  new IntervalModel(EDGES, sum(logUniform(10, HOUR, 4), logUniform(1, 31 * DAY, 0.5)))

/**
 * The prior distribution of the time between two payments of a balance, and of the time from a top-up to the first
 * payment. A proof takes about a second, so the payments of a list can follow each other within seconds. Each order of
 * magnitude from one second to 31 days has the same weight.
 */
export const paymentIntervals = (): IntervalModel =>
  new IntervalModel(EDGES, sum(logUniform(1, 31 * DAY, 6)))
