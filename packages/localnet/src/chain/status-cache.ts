import { MAX_PROCESSING_AGE } from './recent-blockhashes.ts'
import { heightOfSlot } from './block-schedule.ts'
import type { TransactionRecord } from './transaction-record.ts'

/**
 * Which messages have landed recently, so that none lands twice. A message can only land while its
 * blockhash lives, so anything older than that can be forgotten.
 */
export class StatusCache {
  readonly #heightByMessage = new Map<string, number>()

  has(messageHash: string): boolean {
    return this.#heightByMessage.has(messageHash)
  }

  add(record: TransactionRecord): void {
    this.#heightByMessage.set(record.messageHash, heightOfSlot(record.slot))
  }

  /** Forgets messages whose blockhash is dead at this slot. */
  advanceTo(slot: number): void {
    const oldest = heightOfSlot(slot) - MAX_PROCESSING_AGE - 1
    for (const [hash, height] of this.#heightByMessage) {
      if (height >= oldest) return
      this.#heightByMessage.delete(hash)
    }
  }
}
