import { createHash } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'
import { heightOfSlot, slotOfHeight } from './block-schedule.ts'

/** A blockhash is accepted for this many blocks after its own block, as on every Solana cluster. */
export const MAX_PROCESSING_AGE = 150

/**
 * Number of blocks that the queue remembers. It must be greater than the sum of MAX_PROCESSING_AGE, the largest lag of
 * a read (256 blocks) and the lag of `finalized`. Otherwise a lagging bank would lack some of its valid hashes.
 */
export const REMEMBERED_BLOCKS = 450

const base58 = getBase58Decoder()

/**
 * The queue of recent blockhashes. LiteSVM has only one current hash and never refuses an old hash. So this queue
 * checks the expiry. The hashes are derived from the genesis seed and the slot. So a restart gets the same hashes,
 * although the log has no record of empty blocks.
 */
export class RecentBlockhashes {
  readonly #seed: Uint8Array
  readonly #slotByHash = new Map<string, number>()
  readonly #hashByHeight = new Map<number, string>()
  #height = -1

  constructor(seed: Uint8Array) {
    this.#seed = seed
  }

  /** The hash of the block at this slot. */
  hashOf(slot: number): string {
    return this.#hashByHeight.get(heightOfSlot(slot)) ?? this.#derive(slot)
  }

  /** Makes the block at this slot the newest block, and forgets blocks that are too old. */
  advanceTo(slot: number): void {
    const height = heightOfSlot(slot)
    const first = Math.max(this.#height + 1, height - REMEMBERED_BLOCKS, 0)
    for (let each = first; each <= height; each += 1) this.#add(each)
    for (const [each, hash] of this.#hashByHeight) {
      if (each >= height - REMEMBERED_BLOCKS) break
      this.#hashByHeight.delete(each)
      this.#slotByHash.delete(hash)
    }
    this.#height = height
  }

  /** True if a bank at `bankSlot` would accept a transaction with this blockhash. */
  isValidAt(hash: string, bankSlot: number, ageMax = MAX_PROCESSING_AGE): boolean {
    const slot = this.#slotByHash.get(hash)
    if (slot === undefined || slot > bankSlot) return false
    return heightOfSlot(bankSlot) - heightOfSlot(slot) <= ageMax
  }

  #add(height: number): void {
    const slot = slotOfHeight(height)
    const hash = this.#derive(slot)
    this.#hashByHeight.set(height, hash)
    this.#slotByHash.set(hash, slot)
  }

  #derive(slot: number): string {
    const slotBytes = Buffer.alloc(8)
    slotBytes.writeBigUInt64LE(BigInt(slot))
    const digest = createHash('sha256').update('blockhash').update(this.#seed).update(slotBytes)
    return base58.decode(digest.digest())
  }
}
