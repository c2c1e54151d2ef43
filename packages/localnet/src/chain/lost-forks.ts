import { heightOfSlot } from './block-schedule.ts'
import type { TransactionErrorJson } from './transaction-error.ts'

/** Blocks for which a fork that loses is still taken for the newest. */
const FORK_BLOCKS = 3

interface Shown {
  readonly slot: number
  readonly err: TransactionErrorJson | null
}

/**
 * Transactions that a block of a losing fork took: for some blocks they are `processed`, then they have
 * never been. Only their status shows them; accounts and histories are those of the fork that wins.
 */
export class LostForks {
  readonly #shown = new Map<string, Shown>()

  /** Shows a transaction in the block of `slot`. */
  show(signature: string, shown: Shown): void {
    this.#shown.set(signature, shown)
  }

  /** What a node whose newest block is at `processedSlot` says of a signature. */
  find(signature: string, processedSlot: number): Shown | undefined {
    const shown = this.#shown.get(signature)
    if (shown === undefined || shown.slot > processedSlot) return undefined
    const age = heightOfSlot(processedSlot) - heightOfSlot(shown.slot)
    return age < FORK_BLOCKS ? shown : undefined
  }
}
