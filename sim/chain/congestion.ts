import { STEP_MAX, unitPriceOf } from '@sotto/protocol'
import type { Faults } from '../faults/faults.ts'
import type { SeededRandom } from '../time/seeded-random.ts'
import type { Timeline } from '../time/timeline.ts'
import { unitPriceIn, type Transaction } from './transaction.ts'

/** The shortest and the longest time between changes of the price. */
const [SHORTEST_MS, LONGEST_MS] = [120_000, 900_000]
/** Leaders drop this share of the transactions that offer less than the price, however often a service sends them. */
const DROPPED = 0.9
/** The share of periods without congestion. */
const QUIET = 0.4

/**
 * Leaders that demand a compute unit price, which changes over time. They drop nine in ten of the services'
 * transactions that offer less.
 */
export class Congestion {
  readonly #d: {
    readonly timeline: Timeline
    readonly random: SeededRandom
    readonly faults: Faults
  }
  readonly #isUnlucky = new Map<string, boolean>()
  #price = 0n
  #untilMs = 0

  constructor(d: {
    readonly timeline: Timeline
    readonly random: SeededRandom
    readonly faults: Faults
  }) {
    this.#d = d
  }

  /** True if all leaders drop this copy of a transaction. */
  drops(transaction: Transaction): boolean {
    const { faults, random, timeline } = this.#d
    const unitPrice = unitPriceIn(transaction)
    if (unitPrice === undefined || !faults.mayHappen('congestion')) return false
    if (timeline.nowMs >= this.#untilMs) {
      this.#price = random.chance(QUIET) ? 0n : unitPriceOf(1 + random.below(STEP_MAX))
      this.#untilMs = timeline.nowMs + random.between(SHORTEST_MS, LONGEST_MS)
    }
    if (unitPrice >= this.#price) return false
    const { signature } = transaction
    const isUnlucky = this.#isUnlucky.get(signature) ?? random.chance(DROPPED)
    this.#isUnlucky.set(signature, isUnlucky)
    if (isUnlucky) faults.count('congestion', 'mempool')
    return isUnlucky
  }
}
