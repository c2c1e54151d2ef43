import { amount, settleInputs, type Settlement, type UnixSeconds } from '@sotto/protocol'
import type { OpenedOrder } from './open-note.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/**
 * Proves that a note may be delivered, or refunded, against the newest root.
 * @throws Error where the tree can't vouch for the note: unverified just now, or another leaf at its
 * place (I9).
 */
export async function prove(
  d: Pick<SettleDependencies, 'prover' | 'poseidon' | 'tree' | 'log'>,
  opened: OpenedOrder,
  settle: { readonly isRefund: boolean; readonly time: UnixSeconds },
): Promise<Settlement> {
  const { note, order } = opened
  const place = d.tree.locate(order.leafIndex)
  if (place === undefined) throw new Error('the tree is not verified just now')
  if (d.tree.leaf(order.leafIndex) !== opened.leaf) {
    d.log.alert('leaf_differs')
    throw new Error("the tree holds another leaf than the order's note")
  }
  const inputs = settleInputs(d.poseidon, note, place.position, settle)
  return {
    isRefund: settle.isRefund,
    root: place.root,
    nullifier: inputs.nullifier,
    amount: note.amountOut,
    feeBack: amount(inputs.feeBack),
    payee: settle.isRefund ? note.sender : note.recipient,
    time: settle.time,
    proof: await d.prover.prove(inputs),
  }
}
