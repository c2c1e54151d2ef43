import { hexOf } from '../../domain/hex.ts'
import type { OpenOrder } from '../../ports/settlement-store.ts'

/**
 * Number of blocks after which a journalled attempt certainly can't land. The attempt was signed before it was
 * journalled, with a blockhash that is valid for 150 blocks. The height that a node shows may be wrong by several
 * blocks, so this number is far greater.
 */
const PAST_BLOCKS = 1_000n

/**
 * Measures the age of live attempts, in blocks. An attempt's record contains its last valid block height. But a record
 * may have become unreadable, and the node that showed the height may have shown a false height. Without another
 * measure, an attempt with a height far ahead would stay live forever. So blocks are also counted from the height at
 * which this process first saw the attempt. At that height, the attempt was already signed.
 */
export class AttemptAges {
  /** For each order, the number of its newest attempt, and the lowest height at which it was seen. */
  readonly #seen = new Map<string, { readonly number: number; readonly height: bigint }>()

  /**
   * True if this process first saw the attempt more than `PAST_BLOCKS` finalized blocks ago. Then the attempt can't
   * land any more.
   */
  isPast(orderId: Uint8Array, number: number, height: bigint): boolean {
    const key = hexOf(orderId)
    const seen = this.#seen.get(key)
    // If an earlier height was higher, it was false.
    const isKept = seen?.number === number && seen.height <= height
    if (isKept) return height > seen.height + PAST_BLOCKS
    this.#seen.set(key, { number, height })
    return false
  }

  /** Deletes the ages of all attempts except the attempts of the orders in `open`. */
  forgetOthers(open: readonly Pick<OpenOrder, 'orderId'>[]): void {
    const keys = new Set(open.map(({ orderId }) => hexOf(orderId)))
    for (const key of this.#seen.keys()) if (!keys.has(key)) this.#seen.delete(key)
  }
}
