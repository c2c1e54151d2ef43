import type { Poseidon } from '@sotto/protocol'
import type { ChainFollow, FinalizedHead, TreeTransaction } from '../ports/chain-follow.ts'
import type { Clock } from '../ports/clock.ts'
import type { FollowStore, StoredLeaf } from '../ports/follow-store.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import { leafRow, placed, type LandedDeposit } from './landed-deposit.ts'
import { orderKey } from './order-key.ts'
import { planDeliveries, type PlanDependencies } from './plan-delivery.ts'
import type { VerifiedTree } from './verified-tree.ts'

export interface FollowDependencies extends PlanDependencies {
  readonly chain: ChainFollow
  readonly store: FollowStore
  readonly poseidon: Poseidon
  readonly clock: Clock
  readonly log: SettlementLog
}

/**
 * One step along the finalized chain: read what is new, append its leaves, hold the root against the
 * chain's, and only then record leaves, deposits and expiries together. A root that differs, or a
 * leaf that is missing, means starting over from the first transaction (I9). Returns whether
 * anything new was recorded.
 */
export async function followChain(d: FollowDependencies, tree: VerifiedTree): Promise<boolean> {
  // Leaves before the cursor: then the cursor's slot is never older than the leaves.
  tree.appendAll(await d.store.readLeaves(tree.size))
  const cursor = await d.store.readCursor()
  const head = await d.chain.readHead()
  // A node that lags behind what we know has nothing to say; another round may reach a better one.
  if (head.slot < cursor.slot) return false
  const transactions = await d.chain.readTreeTransactions(cursor.lastSignature, head)
  const fresh = await unknownDeposits(d, tree.size, transactions)
  const sizeBefore = tree.size
  const leaves = fresh.map((landed) => leafRow(d.poseidon, landed))
  tree.appendAll(leaves.map(({ leaf }) => leaf))
  if (!(await agrees(d, tree, head))) return rescanChain(d, tree)
  const lastSignature = transactions.at(-1)?.signature ?? cursor.lastSignature
  const step = { from: cursor.lastSignature, lastSignature, isRescan: false }
  return record(d, tree, { ...step, head, fresh, leaves, sizeBefore })
}

/** Reads everything again from the first transaction: heals gaps, duplicates and wrong order. */
export async function rescanChain(d: FollowDependencies, tree: VerifiedTree): Promise<boolean> {
  d.log.event('rescan')
  tree.replace([])
  const cursor = await d.store.readCursor()
  const head = await d.chain.readHead()
  const transactions = await d.chain.readTreeTransactions(undefined, head)
  const fresh = placed(transactions, 0)
  const leaves = fresh.map((landed) => leafRow(d.poseidon, landed))
  tree.appendAll(leaves.map(({ leaf }) => leaf))
  if (!(await agrees(d, tree, head))) {
    tree.replace([])
    d.log.alert('root_mismatch')
    throw new Error("the chain's root can't be reproduced from the transactions this node shows")
  }
  const lastSignature = transactions.at(-1)?.signature
  const step = { from: cursor.lastSignature, lastSignature, isRescan: true, sizeBefore: 0 }
  return record(d, tree, { ...step, head, fresh, leaves })
}

interface Step {
  readonly from: string | undefined
  readonly lastSignature: string | undefined
  readonly isRescan: boolean
  readonly head: FinalizedHead
  readonly fresh: readonly LandedDeposit[]
  readonly leaves: readonly StoredLeaf[]
  readonly sizeBefore: number
}

async function record(d: FollowDependencies, tree: VerifiedTree, step: Step): Promise<boolean> {
  const { fresh, sizeBefore, ...batch } = step
  let isRecorded = false
  try {
    const deposits = await planDeliveries(d, fresh)
    isRecorded = await d.store.tryRecord({ ...batch, deposits }, d.clock.nowMs())
  } finally {
    // What isn't in the database is read from there, or from the chain, in the next round.
    if (!isRecorded && step.leaves.length > 0) tree.truncate(sizeBefore)
  }
  if (isRecorded) for (const _ of fresh) d.log.event('deposit_recorded')
  return isRecorded && fresh.length > 0
}

/** True where we hold exactly the leaves the chain has at the head, and their root is the chain's. */
async function agrees(d: FollowDependencies, tree: VerifiedTree, head: FinalizedHead) {
  if (head.nextLeaf !== BigInt(tree.size)) return false
  return tree.isVerified || tree.check(await d.chain.readRoots(head))
}

async function unknownDeposits(
  d: FollowDependencies,
  size: number,
  transactions: readonly TreeTransaction[],
): Promise<LandedDeposit[]> {
  const ids = transactions.flatMap(({ deposits }) => deposits.map(({ orderId }) => orderId))
  if (ids.length === 0) return []
  const known = new Set((await d.store.readKnownLeaves(ids)).map(orderKey))
  const unknown = transactions.map((transaction) => ({
    ...transaction,
    deposits: transaction.deposits.filter(({ orderId }) => !known.has(orderKey(orderId))),
  }))
  return placed(unknown, size)
}
