import { hexOf } from '../../domain/hex.ts'

/**
 * Blocks after the first sight of a journalled attempt until it certainly can't land: it was signed before it
 * was journalled, on a blockhash that is valid for 150 blocks. This is far more, because a node's height may be
 * some blocks off.
 */
const PAST_BLOCKS = 1_000n

/**
 * Attempts whose record can't be opened any more. Their last valid height is unknown, so it is counted from the
 * height at which this process first saw them, which is later than their signature.
 */
export class UnreadableAttempts {
  readonly #sinceHeight = new Map<string, bigint>()

  /** True if an attempt was first seen so many finalized blocks ago that it can't land any more. */
  isPast(orderId: Uint8Array, number: number, height: bigint): boolean {
    const key = `${hexOf(orderId)} ${number}`
    const since = this.#sinceHeight.get(key) ?? height
    this.#sinceHeight.set(key, since)
    return height > since + PAST_BLOCKS
  }
}
