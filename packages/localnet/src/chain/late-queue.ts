import { heightOfSlot } from './block-schedule.ts'
import type { Chain } from './chain.ts'
import type { DecodedTransaction } from './decoded-transaction.ts'
import type { SubmitQueue } from './submit-queue.ts'

/** When a transaction runs: after this many blocks. Within a block, transactions run in ascending order of `rank`. */
export interface Lateness {
  readonly blocks: number
  readonly rank: number
}

interface Held {
  readonly decoded: DecodedTransaction
  readonly height: number
  readonly rank: number
}

/**
 * Transactions on their way to a leader. The chain checks a transaction's blockhash when it takes the transaction from
 * the queue. The queue is only in memory, so a stop of the chain loses these transactions. On a real network, a
 * transaction that no leader includes in a block is lost too.
 */
export class LateQueue {
  readonly #chain: Chain
  readonly #queue: SubmitQueue
  #held: Held[] = []

  constructor(chain: Chain, queue: SubmitQueue) {
    this.#chain = chain
    this.#queue = queue
    chain.listen({ onBlock: ({ slot }) => this.#release(slot), onBatch: () => undefined })
  }

  hold(decoded: DecodedTransaction, { blocks, rank }: Lateness): void {
    const height = heightOfSlot(this.#chain.tip.slot) + blocks
    this.#held.push({ decoded, height, rank })
  }

  #release(slot: number): void {
    if (this.#held.length === 0) return
    const now = heightOfSlot(slot)
    const due = this.#held.filter(({ height }) => height <= now)
    this.#held = this.#held.filter(({ height }) => height > now)
    // Transactions of equal rank keep the order in which they were sent.
    due.sort((one, other) => one.height - other.height || one.rank - other.rank)
    for (const { decoded } of due) {
      // No caller waits for the outcome any more, so the outcome is ignored. If the journal can't write to the log, the
      // journal reports the failure itself.
      this.#queue.submit(decoded).catch(() => undefined)
    }
  }
}
