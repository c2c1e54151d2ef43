import { RECENT, type Settlement, type UnixSeconds } from '@sotto/protocol'
import type { OpenOrder } from '../../ports/settlement-store.ts'
import type { OpenedOrder } from './opened-order.ts'
import { hexOf } from '../../domain/hex.ts'

/** The statement that a proof makes about its note. */
export interface SettleStatement {
  readonly isRefund: boolean
  readonly time: UnixSeconds
}

/** Newer leaves after which a root isn't used any more: half of those that push it out of the chain's ring. */
const NEWER_MAX = RECENT / 2

interface KeptProof {
  readonly settlement: Settlement
  /** True if the chain has refused its root. */
  readonly isRefused: boolean
  /** Number of leaves of the tree that it was made against. */
  readonly size: number
}

/**
 * The newest proof of each open order, in memory only, so that a settlement that was refused or expired needs
 * no second proof while root and time stay valid.
 */
export class KeptProofs {
  readonly #kept = new Map<string, KeptProof>()

  /** Forgets the proofs of orders that aren't among the open ones. */
  forgetOthers(open: readonly Pick<OpenOrder, 'orderId'>[]): void {
    const keys = new Set(open.map(({ orderId }) => hexOf(orderId)))
    for (const key of this.#kept.keys()) if (!keys.has(key)) this.#kept.delete(key)
  }

  find({ order, nullifier }: OpenedOrder, { isRefund, time }: SettleStatement, size: number) {
    const kept = this.#kept.get(hexOf(order.orderId))
    if (kept === undefined || kept.isRefused || size < kept.size) return undefined
    const { settlement } = kept
    const isFresh = settlement.root.kind === 'checkpoint' || size - kept.size <= NEWER_MAX
    // An order whose note was found at another leaf has another nullifier. The kept proof would settle it
    // under one that isn't watched.
    const isSame =
      settlement.isRefund === isRefund &&
      settlement.time === time &&
      settlement.nullifier === nullifier
    return isFresh && isSame ? settlement : undefined
  }

  /** True if the chain has dropped the root of the order's last proof since it was made. */
  isOutrun({ order }: OpenedOrder, size: number): boolean {
    const kept = this.#kept.get(hexOf(order.orderId))
    return (
      kept !== undefined &&
      (kept.settlement.root.kind === 'checkpoint' || size - kept.size >= RECENT)
    )
  }

  /**
   * The chain refused the root of the order's last proof: the next try needs another proof. If the refused
   * root was a checkpoint's, that proof is made against the newest root; otherwise its root is chosen as before.
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
