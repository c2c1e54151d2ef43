/** A quote whose time and tariff are known, or assumed with a weight from 0 to 1. */
export interface TariffPoint {
  readonly seconds: number
  readonly networkFee: bigint
  readonly weight: number
}

/** The assumed mean time between two changes of a tariff. The service changes a tariff at most once an hour. */
const CHANGE_SECONDS = 21_600
/** The assumed share of points that show a tariff that wasn't in force at their time. */
const WRONG_SHARE = 0.02

/**
 * The tariff of each moment, as a hidden Markov model over points in time. Between two points, the tariff changes with
 * a probability that grows with the time between them.
 */
export class TariffTimeline {
  readonly #networkFees: readonly bigint[]
  readonly #seconds: readonly number[]
  /** For each point: the chance of each tariff, given all points. */
  readonly #chances: readonly (readonly number[])[]

  constructor(points: readonly TariffPoint[]) {
    const sorted = [...points].sort((left, right) => left.seconds - right.seconds)
    const networkFees = [...new Set(sorted.map(({ networkFee }) => networkFee))]
    this.#networkFees = networkFees
    this.#seconds = sorted.map(({ seconds }) => seconds)
    const emitted = sorted.map((point) => emissions(point, networkFees))
    const forward = passes(emitted, this.#seconds)
    const backward = passes(emitted.toReversed(), this.#seconds.toReversed()).toReversed()
    this.#chances = forward.map((before, place) =>
      // Both passes contain the point's own emission, so it is divided out once.
      normalised(
        before.map(
          (chance, tariff) =>
            (chance * (backward[place]?.[tariff] ?? 0)) / (emitted[place]?.[tariff] ?? 1),
        ),
      ),
    )
  }

  /** The chance that a quote at this time had this network fee. */
  chanceAt(seconds: number, networkFee: bigint): number {
    if (this.#networkFees.length <= 1) return 1
    const tariff = this.#networkFees.indexOf(networkFee)
    const next = this.#placeAfter(seconds)
    const before = this.#chances[next - 1]?.[tariff]
    const after = this.#chances[next]?.[tariff]
    if (before === undefined || after === undefined) return before ?? after ?? 0
    const [from, to] = [this.#seconds[next - 1] ?? 0, this.#seconds[next] ?? 0]
    const part = to > from ? (seconds - from) / (to - from) : 0
    return before + part * (after - before)
  }

  /** The number of points at this time or earlier. */
  #placeAfter(seconds: number): number {
    let [low, high] = [0, this.#seconds.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#seconds[middle] ?? 0) <= seconds) low = middle + 1
      else high = middle
    }
    return low
  }
}

function emissions({ networkFee, weight }: TariffPoint, networkFees: readonly bigint[]): number[] {
  const wrong = WRONG_SHARE / Math.max(1, networkFees.length - 1)
  return networkFees.map((one) => {
    const shown = one === networkFee ? 1 - WRONG_SHARE : wrong
    return weight * shown + (1 - weight) / networkFees.length
  })
}

/** For each point: the chance of each tariff, given this point and all points before it in the list. */
function passes(emitted: readonly (readonly number[])[], seconds: readonly number[]): number[][] {
  const all: number[][] = []
  for (const [place, chances] of emitted.entries()) {
    const earlier = all.at(-1)
    const gap = Math.abs((seconds[place] ?? 0) - (seconds[place - 1] ?? seconds[place] ?? 0))
    const changed = (1 - Math.exp(-gap / CHANGE_SECONDS)) / Math.max(1, chances.length)
    const kept = Math.exp(-gap / CHANGE_SECONDS)
    all.push(normalised(chances.map((one, at) => one * (kept * (earlier?.[at] ?? 1) + changed))))
  }
  return all
}

function normalised(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, one) => sum + one, 0)
  return weights.map((one) => one / total)
}
