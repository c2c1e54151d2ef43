import type { Poseidon } from '@sotto/protocol'
import type { ChainFollow, FinalizedHead } from '../../ports/settlement-chain.ts'
import type { DisputedOrder, FollowStore } from '../../ports/settlement-store.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import { leafOfOrder, type LandedDeposit } from './landed-deposit.ts'
import { hexOf } from '../../domain/hex.ts'
import type { VerifiedTree } from './verified-tree.ts'

interface JudgeDependencies {
  readonly chain: ChainFollow
  readonly store: FollowStore
  readonly poseidon: Poseidon
  readonly log: SettlementLog
}

/** What became of overdue orders whose leaf isn't the one that their terms make. */
export interface Judged {
  /** Another note took their id: their own deposit can't land any more (I4), so they expire (I8). */
  readonly disowned: Uint8Array[]
  /**
   * Their own deposits, whose terms couldn't be adopted because an asset wasn't listed. They are offered
   * again until it is.
   */
  readonly own: LandedDeposit[]
}

/**
 * Reads the deposits of the leaves of disputed orders: their inner hash identifies the owner, which a leaf
 * alone doesn't. A deposit that the node doesn't show now is judged in a later round.
 */
export async function judgeDisputed(
  d: JudgeDependencies,
  tree: VerifiedTree,
  head: FinalizedHead,
): Promise<Judged> {
  const judged: Judged = { disowned: [], own: [] }
  const byOrder = new Map<string, DisputedOrder[]>()
  for (const one of await d.store.listDisputed(head.unixSeconds)) {
    const key = hexOf(one.orderId)
    byOrder.set(key, [...(byOrder.get(key) ?? []), one])
  }
  for (const leaves of byOrder.values()) {
    // An order whose deposit can't be read must not block the others.
    try {
      await judgeOne(d, tree, head, leaves, judged)
    } catch (error) {
      d.log.failed('judge_disputed', error)
    }
  }
  return judged
}

/** Judges an order by all leaves with its id: it is disowned only if none of them is its own. */
async function judgeOne(
  d: JudgeDependencies,
  tree: VerifiedTree,
  head: FinalizedHead,
  leaves: readonly DisputedOrder[],
  judged: Judged,
): Promise<void> {
  if (leaves.some((order) => order.leaf === leafOfOrder(d.poseidon, order))) return
  const found: LandedDeposit[] = []
  for (const order of leaves) {
    const landed = await findDeposit(d.chain, tree, head, order)
    if (landed?.deposit.inner === order.inner) return void judged.own.push(landed)
    if (landed !== undefined) found.push(landed)
  }
  const [order] = leaves
  if (order !== undefined && found.length === leaves.length) judged.disowned.push(order.orderId)
}

async function findDeposit(
  chain: ChainFollow,
  tree: VerifiedTree,
  head: FinalizedHead,
  order: DisputedOrder,
): Promise<LandedDeposit | undefined> {
  const { leafIndex, leafSlot: slot } = order
  if (tree.leaf(leafIndex) !== order.leaf) return undefined
  // Only that slot is read: everything since then may be an hour's deposits.
  const transactions = await chain.readTreeTransactions(undefined, { ...head, slot }, slot)
  for (const { deposits, ...landed } of transactions) {
    const deposit = deposits.find(({ orderId }) => hexOf(orderId) === hexOf(order.orderId))
    if (deposit !== undefined) return { deposit, ...landed, leafIndex }
  }
  return undefined
}
