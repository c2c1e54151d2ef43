import { hexOf } from '../../domain/hex.ts'

/**
 * Number of blocks after which a journalled attempt certainly can't land. The attempt was signed before it was
 * journalled, on a blockhash that is valid for 150 blocks. The number is far greater, because a node's height may be
 * wrong by some blocks.
 */
const PAST_BLOCKS = 1_000n

/**
 * Attempts whose record can't be opened any more. Their last valid height is unknown. So blocks are counted from the
 * height at which this process first saw the attempt, which is above the height at which the attempt was signed.
 */
export class UnreadableAttempts {
  readonly #sinceHeight = new Map<string, bigint>()

  /** True if an attempt was first seen so long ago, in finalized blocks, that it can't land any more. */
  isPast(orderId: Uint8Array, number: number, height: bigint): boolean {
    const key = `${hexOf(orderId)} ${number}`
    const since = this.#sinceHeight.get(key) ?? height
    this.#sinceHeight.set(key, since)
    return height > since + PAST_BLOCKS
  }
}
