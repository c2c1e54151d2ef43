import { settleInputs, type Settlement, type SettleInputs } from '@sotto/protocol'
import type { ProvablePosition } from '../follow/verified-tree.ts'
import type { SettleStatement } from './kept-proofs.ts'
import { nameOf, type OpenedOrder } from '../notes/opened-order.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

type ProveDependencies = Pick<
  SettleDependencies,
  'prover' | 'poseidon' | 'pool' | 'tree' | 'checkpoints' | 'log' | 'proofs' | 'proofQueue'
>

/**
 * Proves that a note may be delivered or refunded. Returns an earlier proof if its time is the same and its root is
 * still valid. If there is no such proof, makes a new proof with the root that `placeOf` chooses.
 *
 * @throws Error if the tree isn't verified now, or if it has another leaf at the note's index (invariant I9).
 */
export async function prove(
  d: ProveDependencies,
  opened: OpenedOrder,
  statement: SettleStatement,
): Promise<Settlement> {
  const kept = d.proofs.find(opened, statement, d.tree.size)
  if (kept === undefined) return d.proofQueue.run(() => proveNow(d, opened, statement))
  assertProvable(d, opened, d.tree.locate(opened.leafIndex))
  return kept
}

/** Makes a proof. The root is chosen when the prover can start, so that it is as new as possible. */
async function proveNow(
  d: ProveDependencies,
  opened: OpenedOrder,
  statement: SettleStatement,
): Promise<Settlement> {
  const { note, payment } = opened
  const { size } = d.tree
  const place = assertProvable(d, opened, await placeOf(d, opened))
  const { isRefund, time } = statement
  const request =
    payment === undefined
      ? ({ kind: isRefund ? 'refund' : 'deliver', time } as const)
      : ({ kind: 'pay', time, ...payment } as const)
  const inputs = settleInputs(d.poseidon, d.pool.domain, note, place.position, request)
  const settlement = settlementOf(opened, inputs, place, statement, await d.prover.prove(inputs))
  d.proofs.keep(opened, settlement, size)
  return settlement
}

function assertProvable(
  d: ProveDependencies,
  opened: OpenedOrder,
  place: ProvablePosition | undefined,
): ProvablePosition {
  if (place === undefined) throw new Error('the tree is not verified now')
  if (d.tree.leaf(opened.leafIndex) !== opened.leaf) {
    d.log.alert('leaf_differs', nameOf(opened))
    throw new Error("the tree has another leaf at the index of the order's note")
  }
  return place
}

/**
 * Returns the note's position under a root, usually the newest root. A flood of leaves may have pushed the last proof's
 * root out of the tree account's ring of newest roots. Then the last root of a full hour is used, because the chain
 * keeps such roots for longer. If no such root covers the note, the newest root is used.
 */
async function placeOf(
  d: ProveDependencies,
  opened: OpenedOrder,
): Promise<ProvablePosition | undefined> {
  const { leafIndex } = opened
  const lasting = d.proofs.isOutrun(opened, d.tree.size)
    ? await d.checkpoints.locate(leafIndex)
    : undefined
  return lasting ?? d.tree.locate(leafIndex)
}

function settlementOf(
  { note, payment }: OpenedOrder,
  inputs: SettleInputs,
  { root }: ProvablePosition,
  { isRefund, time }: SettleStatement,
  proof: Uint8Array,
): Settlement {
  const { nullifier, changeLeaf } = inputs
  const { claim, sender } = note
  return {
    ...{ isRefund, root, nullifier, changeLeaf, time, proof },
    payout: inputs.payout,
    fee: inputs.fee,
    payee: payment?.payee ?? (isRefund || claim.kind !== 'transfer' ? sender : claim.recipient),
  }
}
