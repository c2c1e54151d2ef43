import {
  amount,
  settleInputs,
  type Poseidon,
  type Settlement,
  type UnixSeconds,
} from '@sotto/protocol'
import type { Prover } from '../ports/prover.ts'
import type { OpenedOrder } from './open-note.ts'
import type { VerifiedTree } from './verified-tree.ts'

/**
 * Proves that a note may be delivered, or refunded, against the newest root. Undefined where the
 * tree can't vouch for the note: unverified just now, or another leaf at its place (I9).
 */
export async function prove(
  d: { readonly prover: Prover; readonly poseidon: Poseidon; readonly tree: VerifiedTree },
  opened: OpenedOrder,
  settle: { readonly isRefund: boolean; readonly time: UnixSeconds },
): Promise<Settlement | undefined> {
  const { note, order } = opened
  const place = d.tree.locate(order.leafIndex)
  if (place === undefined || d.tree.leaf(order.leafIndex) !== opened.leaf) return undefined
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
