import type { UnixSeconds } from '@sotto/protocol'
import { hexOf } from '../../domain/hex.ts'
import type { OpenOrder } from '../../ports/settlement-store.ts'

/** The state of a note according to nodes. */
type Finding = 'settled' | 'unspent'

interface Reading {
  readonly finding: Finding
  readonly at: UnixSeconds
}

/**
 * For each note, keeps the last finding, and the time of the first reading with this finding. `settled`: nodes show
 * that the note is settled. `unspent`: nodes show no Nullifier, although the tree has the leaf of the note's
 * settlement. A caller that tracks only one kind of reading uses the default finding, `settled`. The times are kept
 * only in memory, in seconds of the chain's clock.
 */
export class FirstReadings {
  readonly #readings = new Map<string, Reading>()

  /**
   * Records a reading of an order's note, and returns the time of the first reading with this finding. If there was no
   * earlier reading, or if the last reading had the other finding, returns `unixSeconds`.
   */
  first(orderId: Uint8Array, unixSeconds: UnixSeconds, finding: Finding = 'settled'): UnixSeconds {
    const key = hexOf(orderId)
    const before = this.#readings.get(key)
    if (before?.finding === finding) return before.at
    this.#readings.set(key, { finding, at: unixSeconds })
    return unixSeconds
  }

  /**
   * Deletes an order's first reading. Must be called if a newer reading contradicts it. With `finding`, deletes only a
   * reading with this finding.
   */
  forget(orderId: Uint8Array, finding?: Finding): void {
    const key = hexOf(orderId)
    const isMeant = finding === undefined || this.#readings.get(key)?.finding === finding
    if (isMeant) this.#readings.delete(key)
  }

  /** Deletes the readings of all orders except those in `open`. */
  forgetOthers(open: readonly Pick<OpenOrder, 'orderId'>[]): void {
    const keys = new Set(open.map(({ orderId }) => hexOf(orderId)))
    for (const key of this.#readings.keys()) if (!keys.has(key)) this.#readings.delete(key)
  }
}
