import { orderKey } from '../../domain/order-key.ts'

/**
 * Blocks from the first sight of a journalled attempt until it can't land for certain: it was signed
 * before it was journalled, on a blockhash that lives for 150 blocks. Far above that, because a node may
 * tell a height that is some blocks off.
 */
const PAST_BLOCKS = 1_000n

/**
 * Attempts whose record can't be opened any more. When they die isn't known, but when this process
 * first saw them is, and that is late enough to count from.
 */
export class UnreadableAttempts {
  readonly #sinceHeight = new Map<string, bigint>()

  /** True where an attempt was first seen so many finalized blocks ago that it can't land any more. */
  isPast(orderId: Uint8Array, number: number, height: bigint): boolean {
    const key = `${orderKey(orderId)} ${number}`
    const since = this.#sinceHeight.get(key) ?? height
    this.#sinceHeight.set(key, since)
    return height > since + PAST_BLOCKS
  }
}
