import { heightOfSlot } from './block-schedule.ts'
import type { TransactionErrorJson } from './transaction-error.ts'

/** Number of blocks during which a losing fork is shown as the newest fork. */
const FORK_BLOCKS = 3

interface Shown {
  readonly slot: number
  readonly err: TransactionErrorJson | null
}

/**
 * Transactions in a block of a losing fork. Their status is `processed` for `FORK_BLOCKS` blocks, and unknown after
 * that. Only signature statuses show these transactions, because accounts and histories follow the winning fork.
 */
export class LostForks {
  readonly #shown = new Map<string, Shown>()

  /** Makes a transaction appear as part of the block at `shown.slot`. */
  show(signature: string, shown: Shown): void {
    this.#shown.set(signature, shown)
  }

  /** A signature's status on a node whose newest block is at `processedSlot`. */
  find(signature: string, processedSlot: number): Shown | undefined {
    const shown = this.#shown.get(signature)
    if (shown === undefined || shown.slot > processedSlot) return undefined
    const age = heightOfSlot(processedSlot) - heightOfSlot(shown.slot)
    return age < FORK_BLOCKS ? shown : undefined
  }
}
