import { hexOf } from '../../domain/hex.ts'

/**
 * Number of blocks after which a journalled attempt certainly can't land. The attempt was signed before it was
 * journalled, with a blockhash that is valid for 150 blocks. The height that a node shows may be wrong by several
 * blocks, so this number is far greater.
 */
const PAST_BLOCKS = 1_000n

/**
 * Tracks attempts whose records can't be opened any more. Only the record has an attempt's last valid block height, so
 * this height is unknown. Instead, blocks are counted from the height at which this process first saw the attempt. At
 * that height, the attempt was already signed.
 */
export class UnreadableAttempts {
  readonly #sinceHeight = new Map<string, bigint>()

  /**
   * True if this process first saw the attempt more than `PAST_BLOCKS` finalized blocks ago. Then the attempt can't
   * land any more.
   */
  isPast(orderId: Uint8Array, number: number, height: bigint): boolean {
    const key = `${hexOf(orderId)} ${number}`
    const since = this.#sinceHeight.get(key) ?? height
    this.#sinceHeight.set(key, since)
    return height > since + PAST_BLOCKS
  }
}
