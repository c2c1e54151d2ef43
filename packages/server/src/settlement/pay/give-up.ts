import { complete } from './confirm.ts'
import { isProven, isSaidByTwo } from './end-payment.ts'
import { nameOf, type OpenedOrder } from './opened-order.ts'
import { outcomeOfHistory } from './settled-outcome.ts'
import type { FoundSettlement } from '../../ports/settlement-chain.ts'
import type { SettleDependencies } from './settle-dependencies.ts'
import { isFoundInTree } from './settlement-evidence.ts'

/**
 * True if the nodes' answers may decide without a proof how the note ended. If a refund has begun and only one node is
 * configured, its answer that the note was delivered isn't enough: this node may have hidden the delivery before.
 */
const mayCount = (
  { chain }: Pick<SettleDependencies, 'chain'>,
  { order }: OpenedOrder,
  { isRefund }: FoundSettlement,
): boolean => isRefund || order.status !== 'refunding' || chain.findSettlements !== undefined

/**
 * Handles a note past its refund window, which can't be paid any more. The note may have been settled so long ago that
 * its Nullifier is closed. A rebuilt database doesn't know such a settlement, so only history has the outcome (I2).
 * With several nodes, two of them must show the settlement, or its proof must hold. The tree alone doesn't decide,
 * because delivery and refund append the same leaf. If history doesn't show a settlement that the tree confirms, an
 * alert is raised, because no final status would be true.
 */
export async function giveUp(
  d: Pick<
    SettleDependencies,
    | ('chain' | 'store' | 'tree' | 'clock' | 'log' | 'unclaimed')
    | ('poseidon' | 'pool' | 'verifier')
  >,
  opened: OpenedOrder,
): Promise<void> {
  // After each query, whatever its result, the note rests for longer until the next one.
  d.unclaimed.rest(opened.order.orderId, d.clock.nowMs())
  const found = await d.chain.findSettlement(opened.nullifier)
  const isTrue =
    found !== undefined &&
    (await isFoundInTree(d, opened, found)) &&
    ((await isProven(d, opened, found)) ||
      (mayCount(d, opened, found) && (await isSaidByTwo(d, opened, found))))
  if (!isTrue) return d.log.alert('note_unclaimed', nameOf(opened))
  await complete(d, opened, outcomeOfHistory(opened, found))
}
