import type { Poseidon } from '@sotto/protocol'
import type { ChainFollow, FinalizedHead } from '../ports/chain-follow.ts'
import type { DisputedOrder, FollowStore } from '../ports/follow-store.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import { leafOfOrder, type LandedDeposit } from './landed-deposit.ts'
import { orderKey } from './order-key.ts'
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
  for (const order of await d.store.listDisputed(head.unixSeconds)) {
    if (order.leaf === leafOfOrder(d.poseidon, order)) continue
    // One order's deposit that can't be read keeps no other from being recorded.
    try {
      const landed = await findDeposit(d, tree, head, order)
      if (landed === undefined) continue
      if (landed.deposit.inner === order.inner) judged.own.push(landed)
      else judged.disowned.push(order.orderId)
    } catch (error) {
      d.log.failed('judge_disputed', error)
    }
  }
  return judged
}

async function findDeposit(
  { chain, store }: JudgeDependencies,
  tree: VerifiedTree,
  head: FinalizedHead,
  order: DisputedOrder,
): Promise<LandedDeposit | undefined> {
  const leafIndex = tree.indexOf(order.leaf)
  if (leafIndex === undefined) return undefined
  const slot = await store.readLeafSlot(leafIndex)
  // Of that slot alone: everything since then may be an hour's deposits.
  const transactions = await chain.readTreeTransactions(undefined, { ...head, slot }, slot)
  for (const { deposits, ...landed } of transactions) {
    const deposit = deposits.find(({ orderId }) => orderKey(orderId) === orderKey(order.orderId))
    if (deposit !== undefined) return { deposit, ...landed, leafIndex }
  }
  return undefined
}
