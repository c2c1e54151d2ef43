import type { UnixSeconds } from '@sotto/protocol'
import { hexOf } from '../../domain/hex.ts'
import type { OpenOrder } from '../../ports/settlement-store.ts'

/** The times at which this process first read that a note is settled, in seconds of the chain's clock. */
export class FirstReadings {
  readonly #at = new Map<string, UnixSeconds>()

  /** The time at which an order's note was first read as settled: `unixSeconds` if this is the first such reading. */
  first(orderId: Uint8Array, unixSeconds: UnixSeconds): UnixSeconds {
    const key = hexOf(orderId)
    const at = this.#at.get(key) ?? unixSeconds
    this.#at.set(key, at)
    return at
  }

  /** Forgets an order's first reading, because another reading contradicts it. */
  forget(orderId: Uint8Array): void {
    this.#at.delete(hexOf(orderId))
  }

  /** Forgets all orders except the open ones. */
  forgetOthers(open: readonly Pick<OpenOrder, 'orderId'>[]): void {
    const keys = new Set(open.map(({ orderId }) => hexOf(orderId)))
    for (const key of this.#at.keys()) if (!keys.has(key)) this.#at.delete(key)
  }
}
