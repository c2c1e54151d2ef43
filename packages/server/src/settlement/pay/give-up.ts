import { complete } from './confirm.ts'
import { isProven, isSaidByTwo } from './end-payment.ts'
import { nameOf, type OpenedOrder } from '../notes/opened-order.ts'
import { recountLeaves } from './recount-leaves.ts'
import { outcomeOfHistory } from './settled-outcome.ts'
import type { FoundSettlement } from '../../ports/settlement-chain.ts'
import type { SettleDependencies } from './settle-dependencies.ts'
import { isFollowedTo, isFoundInTree } from '../notes/settlement-evidence.ts'

/**
 * False if a refund has begun and the only configured node says that the note was delivered. The node may have hidden
 * the delivery when the refund began, so such an answer needs a valid proof. True for any other answer.
 */
const mayCount = (
  { chain }: Pick<SettleDependencies, 'chain'>,
  { order }: OpenedOrder,
  { isRefund }: FoundSettlement,
): boolean => isRefund || order.status !== 'refunding' || chain.findSettlements !== undefined

/**
 * Searches the history for a note's settlement. A pause before the next search begins when this search ends. The pause
 * doubles with each search, up to a maximum.
 */
async function find(
  d: Pick<SettleDependencies, 'chain' | 'clock' | 'unclaimed'>,
  { nullifier, order }: OpenedOrder,
): Promise<FoundSettlement | undefined> {
  try {
    return await d.chain.findSettlement(nullifier)
  } finally {
    d.unclaimed.rest(order.orderId, d.clock.nowMs())
  }
}

/**
 * Handles a note that can't be paid any more, because its refund window has passed. The note may have been settled so
 * long ago that its Nullifier account is closed. A rebuilt database doesn't know such a settlement, so only the
 * transaction history has the outcome (invariant I2). With several nodes, two of them must show the settlement, or its
 * proof must be valid. The tree alone isn't enough, because delivery and refund append the same leaf.
 *
 * If the history shows no settlement that the tree confirms, an alert is raised. Then the order stays open, because no
 * final status would be true.
 */
export async function giveUp(
  d: Pick<
    SettleDependencies,
    | ('chain' | 'store' | 'tree' | 'clock' | 'log' | 'unclaimed' | 'opener')
    | ('poseidon' | 'pool' | 'verifier')
  >,
  opened: OpenedOrder,
): Promise<void> {
  const found = await find(d, opened)
  const isTrue =
    found !== undefined &&
    (await isFoundInTree(d, opened, found)) &&
    (await isFollowedTo(d, found.unixSeconds, found)) &&
    ((await isProven(d, opened, found)) ||
      (mayCount(d, opened, found) && (await isSaidByTwo(d, opened, found))))
  if (!isTrue) return d.log.alert('note_unclaimed', nameOf(opened))
  if (await recountLeaves(d, opened, found)) return
  await complete(d, opened, await outcomeOfHistory(d, opened, found))
}
