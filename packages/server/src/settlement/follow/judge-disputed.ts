import type { Poseidon } from '@sotto/protocol'
import type { ChainFollow, FinalizedHead } from '../../ports/settlement-chain.ts'
import type { DisputedOrder, FollowStore } from '../../ports/settlement-store.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import { leafOfOrder, type LandedDeposit } from './landed-deposit.ts'
import { orderKey } from '../../domain/order-key.ts'
import type { VerifiedTree } from './verified-tree.ts'

interface JudgeDependencies {
  readonly chain: ChainFollow
  readonly store: FollowStore
  readonly poseidon: Poseidon
  readonly log: SettlementLog
}

/** What became of overdue orders whose leaf isn't the one that their terms make. */
export interface Judged {
  /** Their id was taken by another's note: their own can't land any more (I4), so that they expire (I8). */
  readonly disowned: Uint8Array[]
  /**
   * Their own deposits, whose terms couldn't be taken over, as an asset wasn't listed. They are offered
   * again until it is.
   */
  readonly own: LandedDeposit[]
}

/**
 * Reads the deposits behind the leaves of disputed orders: the note's secret in them says whose they are,
 * which no leaf does. One that no node shows now is judged in a later round.
 */
export async function judgeDisputed(
  d: JudgeDependencies,
  tree: VerifiedTree,
  head: FinalizedHead,
): Promise<Judged> {
  const judged: Judged = { disowned: [], own: [] }
  const byOrder = new Map<string, DisputedOrder[]>()
  for (const one of await d.store.listDisputed(head.unixSeconds)) {
    const key = orderKey(one.orderId)
    byOrder.set(key, [...(byOrder.get(key) ?? []), one])
  }
  for (const leaves of byOrder.values()) {
    // One order's deposit that can't be read keeps no other from being recorded.
    try {
      await judgeOne(d, tree, head, leaves, judged)
    } catch (error) {
      d.log.failed('judge_disputed', error)
    }
  }
  return judged
}

/** An order by all leaves that bear its id: it is disowned only where each of them is another's. */
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
  // Of that slot alone: everything since then may be an hour's deposits.
  const transactions = await chain.readTreeTransactions(undefined, { ...head, slot }, slot)
  for (const { deposits, ...landed } of transactions) {
    const deposit = deposits.find(({ orderId }) => orderKey(orderId) === orderKey(order.orderId))
    if (deposit !== undefined) return { deposit, ...landed, leafIndex }
  }
  return undefined
}
