import { grossOf, type Sightings } from '../chain/sightings.ts'
import { inSeries, isRound, ODD_UNSEEN, powerOfTen, ROUND_UNSEEN } from './amounts.ts'
import { GAP_SECONDS } from './list-limits.ts'
import { ratio } from './subset-sums.ts'

/**
 * The habits of people who top up a little more than they need. They round up to a number with one significant digit,
 * to 1, 2 or 5 times a power of ten, or to an amount that quotes suggest. A number to which a habit rounds up is called
 * a figure in this file. Each function gets a number in tenths of a power of ten, and returns true if it is a figure of
 * the habit.
 */
const HABITS: readonly ((tenths: bigint) => boolean)[] = [
  (tenths) => tenths % WHOLE === 0n,
  (tenths) => tenths === 10n || tenths === 20n || tenths === 50n,
  inSeries,
]
/**
 * A person who computes the needed amount adds a reserve for fees. The needed amount is at most this many times the sum
 * of the payments and their fees.
 */
const ROOM = 1.03
/** The prior: this many of `ALL` first payments come from a top-up that was fitted to them. */
const PRIOR = 2
const ALL = 4
/** The assumed share of lists whose top-up is exactly their sum. */
const EXACT_SHARE = 0.02
/** A deposit, the chance that it is a top-up, and the payments out of it. */
export interface PaidTopUp {
  readonly deposit: number
  readonly weight: number
  readonly members: readonly number[]
}

interface Value {
  readonly key: string
  readonly asset: string
  readonly size: number
  /** For each habit by which a person may have chosen the value: the next smaller figure. */
  readonly below: readonly number[]
}

/**
 * What a top-up's value shows about the payments for which the top-up was made. A top-up is either free or fitted. The
 * value of a free top-up doesn't depend on these payments. The value of a fitted top-up is the smallest figure that
 * covers the payments, or exactly the sum of a list. The share of fitted top-ups is learnt.
 */
export class TopUpValues {
  readonly #values: readonly Value[]
  /** For each settlement: the amount that it takes, in base units. */
  readonly #sizes: readonly number[]
  readonly #seconds: readonly number[]
  /** For each deposit: the share of the other deposits that have its value, with a minimum above 0. */
  readonly #exactByChance: readonly number[]
  /** For each deposit: the share of top-ups that have its value. */
  #common: readonly number[] = []
  #fitted = PRIOR / ALL

  constructor({ deposits, settlements }: Sightings) {
    this.#sizes = settlements.map((one) => ratio(grossOf(one), 1n))
    this.#seconds = settlements.map(({ seconds }) => seconds)
    this.#values = deposits.map(({ asset, value }) => ({
      ...{ key: `${asset} ${value}`, asset, size: ratio(value, 1n), below: figuresBelow(value) },
    }))
    const { of, all } = this.#counted(deposits.map(() => 1))
    this.#exactByChance = this.#values.map(({ key, asset }, place) => {
      const unseen = isRound(deposits[place]?.value ?? 0n) ? ROUND_UNSEEN : ODD_UNSEEN
      return ((of.get(key) ?? 1) - 1 + unseen) / (all.get(asset) ?? 1)
    })
    this.#count(deposits.map(() => 1))
  }

  /** The amount that a settlement takes, in base units. */
  sizeOf(settlement: number): number {
    return this.#sizes[settlement] ?? 0
  }

  /**
   * The logarithm of the factor by which the first payments of a top-up make its value more likely. The mean of the
   * factor over all values is 1. The first payments are one payment, or several that follow each other within seconds.
   * `sum` is the amount that they take from the top-up, in base units.
   */
  logAt(deposit: number, sum: number, count: number): number {
    if (count === 0) return 0
    const isExact = count > 1 && sum === this.#values[deposit]?.size
    const exact = isExact ? EXACT_SHARE / (this.#exactByChance[deposit] ?? 1) : 0
    const [free, fitted] = [1 - this.#fitted, this.#fitted * this.#fit(deposit, sum)]
    return Math.log((1 - EXACT_SHARE) * (free + fitted) + exact)
  }

  /** Learns how common each value is, and the share of fitted top-ups. Forgets what it learnt before. */
  learn(topUps: readonly PaidTopUp[]): void {
    let [fitted, all] = [PRIOR, ALL]
    const weights = this.#values.map(() => 0)
    for (const { deposit, weight, members } of topUps) {
      weights[deposit] = weight
      if (members.length === 0) continue
      const asFitted = this.#fitted * this.#fit(deposit, this.#firstSum(members))
      fitted += (weight * asFitted) / (1 - this.#fitted + asFitted)
      all += weight
    }
    this.#fitted = fitted / all
    this.#count(weights)
  }

  #firstSum(members: readonly number[]): number {
    let sum = 0
    for (const [place, payment] of members.entries()) {
      const before = this.#seconds[members[place - 1] ?? payment] ?? 0
      if ((this.#seconds[payment] ?? 0) - before > GAP_SECONDS) break
      sum += this.sizeOf(payment)
    }
    return sum
  }

  /** The chance of the value if the top-up was fitted to this sum, divided by the share of top-ups with the value. */
  #fit(deposit: number, sum: number): number {
    const { size, below } = this.#values[deposit] ?? NO_VALUE
    if (below.length === 0 || sum >= size) return 0
    let habits = 0
    for (const figure of below) if (figure < sum * ROOM) habits += 1
    return habits / HABITS.length / (this.#common[deposit] ?? 1)
  }

  #count(weights: readonly number[]): void {
    const { of, all } = this.#counted(weights)
    // `#fit` assumes that the deposit is a top-up. So the deposit's own weight counts as 1 here.
    this.#common = this.#values.map(({ key, asset }, place) => {
      const others = 1 - (weights[place] ?? 0)
      return ((of.get(key) ?? 0) + others) / ((all.get(asset) ?? 0) + others)
    })
  }

  /** The sum of the weights for each value, and for each asset. */
  #counted(weights: readonly number[]) {
    const [of, all] = [new Map<string, number>(), new Map<string, number>()]
    for (const [place, { key, asset }] of this.#values.entries()) {
      of.set(key, (of.get(key) ?? 0) + (weights[place] ?? 0))
      all.set(asset, (all.get(asset) ?? 0) + (weights[place] ?? 0))
    }
    return { of, all }
  }
}

const NO_VALUE = { size: 0, below: [] }
const WHOLE = 10n

/** For each habit to which a value belongs: the next smaller figure of the habit. Empty if the value isn't a figure. */
function figuresBelow(value: bigint): number[] {
  const unit = WHOLE ** BigInt(powerOfTen(value))
  if (value === 0n || (value * WHOLE) % unit !== 0n) return []
  const tenths = (value * WHOLE) / unit
  return HABITS.filter((isFigure) => isFigure(tenths)).map((isFigure) => {
    let below = tenths - 1n
    while (below >= WHOLE && !isFigure(below)) below -= 1n
    if (below >= WHOLE) return ratio(below * unit, WHOLE)
    // The next smaller figure has a smaller power of ten.
    below = WHOLE * WHOLE - 1n
    while (!isFigure(below)) below -= 1n
    return ratio(below * unit, WHOLE * WHOLE)
  })
}
