import { amount, ROOTS, settleInputs, type Settlement, type UnixSeconds } from '@sotto/protocol'
import type { OpenOrder } from '../ports/settle-store.ts'
import { nameOf, type OpenedOrder } from './open-note.ts'
import { orderKey } from './order-key.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/** What a proof says beside its note. */
export interface SettleStatement {
  readonly isRefund: boolean
  readonly time: UnixSeconds
}

/** Newer leaves after which a root isn't relied on: half of those that push it out of the chain's ring. */
const NEWER_MAX = ROOTS / 2

interface KeptProof {
  readonly settlement: Settlement
  /** Leaves of the tree that it was made against. */
  readonly size: number
}

/**
 * The newest proof of each open order, in memory only, so that a settlement that was refused or died costs
 * no second proof while root and time hold.
 */
export class KeptProofs {
  readonly #kept = new Map<string, KeptProof>()

  /** Forgets the proofs of orders that aren't among the open ones. */
  forgetOthers(open: readonly OpenOrder[]): void {
    const keys = new Set(open.map(({ orderId }) => orderKey(orderId)))
    for (const key of this.#kept.keys()) if (!keys.has(key)) this.#kept.delete(key)
  }

  find({ order }: OpenedOrder, { isRefund, time }: SettleStatement, size: number) {
    const kept = this.#kept.get(orderKey(order.orderId))
    if (kept === undefined || size - kept.size > NEWER_MAX || size < kept.size) return undefined
    const { settlement } = kept
    const isSame = settlement.isRefund === isRefund && settlement.time === time
    return isSame ? settlement : undefined
  }

  keep({ order }: OpenedOrder, settlement: Settlement, size: number): void {
    this.#kept.set(orderKey(order.orderId), { settlement, size })
  }
}

/**
 * Proves that a note may be delivered, or refunded, against the newest root, or gives the proof again that was
 * made for the same time against a root that still holds.
 * @throws Error where the tree can't vouch for the note: unverified just now, or another leaf at its
 * place (I9).
 */
export async function prove(
  d: Pick<SettleDependencies, 'prover' | 'poseidon' | 'tree' | 'log' | 'proofs'>,
  opened: OpenedOrder,
  statement: SettleStatement,
): Promise<Settlement> {
  const { note, order } = opened
  const { size } = d.tree
  const place = d.tree.locate(order.leafIndex)
  if (place === undefined) throw new Error('the tree is not verified just now')
  if (d.tree.leaf(order.leafIndex) !== opened.leaf) {
    d.log.alert('leaf_differs', nameOf(opened))
    throw new Error("the tree holds another leaf than the order's note")
  }
  const kept = d.proofs.find(opened, statement, size)
  if (kept !== undefined) return kept
  const { isRefund, time } = statement
  const inputs = settleInputs(d.poseidon, note, place.position, { isRefund, time })
  const settlement = {
    isRefund,
    root: place.root,
    nullifier: inputs.nullifier,
    amount: note.amountOut,
    feeBack: amount(inputs.feeBack),
    payee: isRefund ? note.sender : note.recipient,
    time,
    proof: await d.prover.prove(inputs),
  }
  d.proofs.keep(opened, settlement, size)
  return settlement
}
