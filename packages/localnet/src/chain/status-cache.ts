import { REMEMBERED_BLOCKS } from './recent-blockhashes.ts'
import { heightOfSlot } from './block-schedule.ts'
import type { TransactionRecord } from './transaction-record.ts'

/**
 * Remembers the messages that landed recently, so that no message lands twice. A message can land only while its
 * blockhash is valid. So the cache drops messages that are older than the remembered blockhashes.
 */
export class StatusCache {
  readonly #heightByMessage = new Map<string, number>()

  /** True if the message landed at this slot or earlier. */
  has(messageHash: string, bankSlot: number): boolean {
    const height = this.#heightByMessage.get(messageHash)
    return height !== undefined && height <= heightOfSlot(bankSlot)
  }

  add(record: TransactionRecord): void {
    this.#heightByMessage.set(record.messageHash, heightOfSlot(record.slot))
  }

  /**
   * Drops messages that landed more than `REMEMBERED_BLOCKS` blocks before this slot. Their blockhashes have expired.
   */
  advanceTo(slot: number): void {
    const oldest = heightOfSlot(slot) - REMEMBERED_BLOCKS
    for (const [hash, height] of this.#heightByMessage) {
      if (height >= oldest) return
      this.#heightByMessage.delete(hash)
    }
  }
}
