import type { UnixSeconds } from '@sotto/protocol'
import { hexOf } from '../../domain/hex.ts'
import type { OpenOrder } from '../../ports/settlement-store.ts'

/** What nodes said of a note. */
type Finding = 'settled' | 'unspent'

interface Reading {
  readonly finding: Finding
  readonly at: UnixSeconds
}

/**
 * The times at which this process first read that a note is settled, or that it is unspent although the tree has the
 * leaf of its settlement; in seconds of the chain's clock.
 */
export class FirstReadings {
  readonly #readings = new Map<string, Reading>()

  /**
   * The time of the first reading of an order's note with this finding. The result is the time of this reading if there
   * was no earlier one, or if the last one contradicts it.
   */
  first(orderId: Uint8Array, unixSeconds: UnixSeconds, finding: Finding = 'settled'): UnixSeconds {
    const key = hexOf(orderId)
    const before = this.#readings.get(key)
    if (before?.finding === finding) return before.at
    this.#readings.set(key, { finding, at: unixSeconds })
    return unixSeconds
  }

  /** Forgets an order's first reading, because another reading contradicts it; only one with `finding`, if given. */
  forget(orderId: Uint8Array, finding?: Finding): void {
    const key = hexOf(orderId)
    const isMeant = finding === undefined || this.#readings.get(key)?.finding === finding
    if (isMeant) this.#readings.delete(key)
  }

  /** Forgets all orders except the open ones. */
  forgetOthers(open: readonly Pick<OpenOrder, 'orderId'>[]): void {
    const keys = new Set(open.map(({ orderId }) => hexOf(orderId)))
    for (const key of this.#readings.keys()) if (!keys.has(key)) this.#readings.delete(key)
  }
}
