import { amount, settleInputs, type Settlement } from '@sotto/protocol'
import type { SettleStatement } from './kept-proofs.ts'
import { nameOf, type OpenedOrder } from './open-note.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/**
 * Proves that a note may be delivered or refunded, against the newest root; or returns the earlier proof that
 * was made for the same time against a root that is still valid.
 * @throws Error if the tree can't vouch for the note: it is unverified now, or has another leaf at the note's
 * index (I9).
 */
export async function prove(
  d: Pick<SettleDependencies, 'prover' | 'poseidon' | 'tree' | 'log' | 'proofs'>,
  opened: OpenedOrder,
  statement: SettleStatement,
): Promise<Settlement> {
  const { note, order } = opened
  const { size } = d.tree
  const place = d.tree.locate(order.leafIndex)
  if (place === undefined) throw new Error('the tree is not verified now')
  if (d.tree.leaf(order.leafIndex) !== opened.leaf) {
    d.log.alert('leaf_differs', nameOf(opened))
    throw new Error("the tree's leaf is not that of the order's note")
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
