import { RECENT, type Settlement, type UnixSeconds } from '@sotto/protocol'
import type { OpenOrder } from '../../ports/settlement-store.ts'
import type { OpenedOrder } from './opened-order.ts'
import { hexOf } from '../../domain/hex.ts'

/** The statement that a proof makes about its note. */
export interface SettleStatement {
  readonly isRefund: boolean
  readonly time: UnixSeconds
}

/**
 * Number of newer leaves after which a root isn't used any more: half of the number that pushes it out of the chain's
 * ring.
 */
const NEWER_MAX = RECENT / 2

interface KeptProof {
  readonly settlement: Settlement
  /** True if the chain has refused the proof's root. */
  readonly isRefused: boolean
  /** Number of leaves of the tree that the proof was made against. */
  readonly size: number
}

/**
 * The newest proof of each open order, kept only in memory. After a refusal or an expiry, a settlement can use its
 * proof again while root and time stay valid.
 */
export class KeptProofs {
  readonly #kept = new Map<string, KeptProof>()

  /** Keeps only the proofs of open orders. */
  forgetOthers(open: readonly Pick<OpenOrder, 'orderId'>[]): void {
    const keys = new Set(open.map(({ orderId }) => hexOf(orderId)))
    for (const key of this.#kept.keys()) if (!keys.has(key)) this.#kept.delete(key)
  }

  find({ order, nullifier }: OpenedOrder, { isRefund, time }: SettleStatement, size: number) {
    const kept = this.#kept.get(hexOf(order.orderId))
    if (kept === undefined || kept.isRefused || size < kept.size) return undefined
    const { settlement } = kept
    const isFresh = settlement.root.kind === 'checkpoint' || size - kept.size <= NEWER_MAX
    // If an order's note was found at another leaf, it has another nullifier. With the kept proof it would be settled
    // under a nullifier that isn't watched.
    const isSame =
      settlement.isRefund === isRefund &&
      settlement.time === time &&
      settlement.nullifier === nullifier
    return isFresh && isSame ? settlement : undefined
  }

  /** True if the chain has dropped the root of the order's last proof since the proof was made. */
  isOutrun({ order }: OpenedOrder, size: number): boolean {
    const kept = this.#kept.get(hexOf(order.orderId))
    return (
      kept !== undefined &&
      (kept.settlement.root.kind === 'checkpoint' || size - kept.size >= RECENT)
    )
  }

  /**
   * Records that the chain refused the root of the order's last proof, so the next try needs another proof. If the
   * refused root was a checkpoint's, the next proof uses the newest root. Otherwise the next proof's root is chosen as
   * before.
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
