import type { Faults } from '../faults/faults.ts'
import type { SeededRandom } from '../time/seeded-random.ts'
import type { Timeline } from '../time/timeline.ts'
import type { Congestion } from './congestion.ts'
import type { Transaction } from './transaction.ts'

/** The usual and the longest time between the broadcast of a transaction and its arrival at a leader. */
const USUAL_MS = 4_000
const LATE_MS = 62_000

/** Transactions on their way to a leader. */
export class Mempool {
  readonly #d: {
    readonly timeline: Timeline
    readonly random: SeededRandom
    readonly faults: Faults
    readonly congestion: Congestion
  }
  /** Called with every broadcast transaction. The whole network sees these transactions. */
  onBroadcast: (transaction: Transaction) => void = () => undefined
  #waiting: { readonly dueMs: number; readonly transaction: Transaction }[] = []

  constructor(d: {
    readonly timeline: Timeline
    readonly random: SeededRandom
    readonly faults: Faults
    readonly congestion: Congestion
  }) {
    this.#d = d
  }

  /** Accepts one more copy of a transaction. This copy may be lost or delayed. */
  add(transaction: Transaction): void {
    const { faults, random, timeline, congestion } = this.#d
    this.onBroadcast(transaction)
    if (congestion.drops(transaction)) return
    if (faults.fires('dropped_transaction', 'mempool')) return
    const isLate = faults.fires('late_transaction', 'mempool')
    const delayMs = isLate ? random.between(USUAL_MS, LATE_MS) : random.below(USUAL_MS)
    this.#waiting.push({ dueMs: timeline.nowMs + delayMs, transaction })
  }

  /** The transactions that have reached a leader by now. */
  takeDue(): Transaction[] {
    if (this.#waiting.length === 0) return []
    const { nowMs } = this.#d.timeline
    const due = this.#waiting.filter(({ dueMs }) => dueMs <= nowMs)
    this.#waiting = this.#waiting.filter(({ dueMs }) => dueMs > nowMs)
    return due.map(({ transaction }) => transaction)
  }
}
