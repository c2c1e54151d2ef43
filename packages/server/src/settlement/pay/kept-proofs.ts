import { RECENT, type Settlement, type UnixSeconds } from '@sotto/protocol'
import type { OpenOrder } from '../../ports/settlement-store.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'
import { hexOf } from '../../domain/hex.ts'

/** The parts of a proof's statement that the service chooses. */
export interface SettleStatement {
  readonly isRefund: boolean
  readonly time: UnixSeconds
}

/**
 * A root isn't used any more after this number of newer leaves. Apart from checkpoints, the program accepts the
 * `RECENT` newest roots. This limit is half of that number, so the root stays valid until the transaction lands.
 */
const NEWER_MAX = RECENT / 2

interface KeptProof {
  readonly settlement: Settlement
  /** True if the chain has refused the proof's root. */
  readonly isRefused: boolean
  /** The number of leaves of the tree when the proof was made. */
  readonly size: number
}

/**
 * Caches the newest proof of each open order, only in memory. If a transaction is refused or expires, the next
 * transaction can use the same proof, as long as the proof's root and time are valid.
 */
export class KeptProofs {
  readonly #kept = new Map<string, KeptProof>()

  /** Drops the proofs of all orders except those in `open`. */
  forgetOthers(open: readonly Pick<OpenOrder, 'orderId'>[]): void {
    const keys = new Set(open.map(({ orderId }) => hexOf(orderId)))
    for (const key of this.#kept.keys()) if (!keys.has(key)) this.#kept.delete(key)
  }

  find({ order, nullifier }: OpenedOrder, { isRefund, time }: SettleStatement, size: number) {
    const kept = this.#kept.get(hexOf(order.orderId))
    if (kept === undefined || kept.isRefused || size < kept.size) return undefined
    const { settlement } = kept
    const isFresh = settlement.root.kind === 'checkpoint' || size - kept.size <= NEWER_MAX
    // If an order's note was found at another leaf index, its nullifier has changed. The cached proof would settle the
    // note under a nullifier that the service doesn't watch.
    const isSame =
      settlement.isRefund === isRefund &&
      settlement.time === time &&
      settlement.nullifier === nullifier
    return isFresh && isSame ? settlement : undefined
  }

  /**
   * True if the order's next proof should use a checkpoint's root. This is needed if the program doesn't accept the
   * last proof's root any more, because of too many newer leaves. A checkpoint's root is also used again if the last
   * proof already used one.
   */
  isOutrun({ order }: OpenedOrder, size: number): boolean {
    const kept = this.#kept.get(hexOf(order.orderId))
    return (
      kept !== undefined &&
      (kept.settlement.root.kind === 'checkpoint' || size - kept.size >= RECENT)
    )
  }

  /**
   * Records that the chain refused the root of the order's last proof. So the next try makes a new proof. If the
   * refused root was a checkpoint's root, the new proof uses the newest root. Otherwise `isOutrun` decides which root
   * the new proof uses.
   */
  refuse({ order }: OpenedOrder): void {
    const key = hexOf(order.orderId)
    const kept = this.#kept.get(key)
    if (kept === undefined) return
    if (kept.settlement.root.kind === 'checkpoint') this.#kept.delete(key)
    else this.#kept.set(key, { ...kept, isRefused: true })
  }

  keep({ order }: OpenedOrder, settlement: Settlement, size: number): void {
    this.#kept.set(hexOf(order.orderId), { settlement, isRefused: false, size })
  }
}
