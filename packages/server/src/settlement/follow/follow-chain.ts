import type { Poseidon } from '@sotto/protocol'
import type {
  ChainFollow,
  FinalizedHead,
  RecentRoots,
  TreeTransaction,
} from '../../ports/settlement-chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type {
  DepositKey,
  FollowedBatch,
  FollowStore,
  StoredLeaf,
} from '../../ports/settlement-store.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import { inChainOrder } from './in-chain-order.ts'
import { judgeDisputed } from './judge-disputed.ts'
import { alertRepeated, orderIdsOf, withoutKnown } from './known-deposits.ts'
import { leafRow, placed, type LandedDeposit } from './landed-deposit.ts'
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
 * One step along the finalized chain: read new transactions, append their leaves, compare the root with the
 * chain's, and only then record leaves, deposits and expiries together. If the root differs or a leaf is
 * missing, it reads again from the last leaf that the chain confirms (I9). The tree takes no leaves in before
 * the node has answered everything, so that known notes are paid while it is slow. Returns whether a new
 * deposit was recorded.
 */
export async function followChain(d: FollowDependencies, tree: VerifiedTree): Promise<boolean> {
  // Leaves are read before the cursor, so that the cursor's slot is never older than the leaves.
  const stored = await d.store.readLeaves(tree.size)
  const cursor = await d.store.readCursor()
  const head = await d.chain.readHead()
  // This node lags behind the database; another round may reach a better one.
  if (head.slot < cursor.slot) return false
  // Every leaf up to the cursor's slot was in the database when the cursor got there.
  const { lastSignature: from, slot } = cursor
  const transactions = inChainOrder(await d.chain.readTreeTransactions(from, head, slot))
  const known = await d.store.readKnownLeaves(orderIdsOf(transactions))
  const sizeBefore = tree.size + stored.length
  const fresh = placed(withoutKnown(known, transactions), sizeBefore)
  // Another worker recorded leaves between our two reads of the database.
  const isWhole = head.nextLeaf === BigInt(sizeBefore + fresh.length)
  if (!isWhole && (await d.store.readLeaves(sizeBefore)).length > 0) return false
  const isSame = tree.isWhole && stored.length + fresh.length === 0
  const roots = isSame ? undefined : await d.chain.readRoots(head)
  tree.appendAll(stored)
  const leaves = append(d, tree, fresh)
  if (!agrees(tree, head, roots)) {
    tree.truncate(sizeBefore)
    return rescanChain(d, tree)
  }
  const lastSignature = transactions.at(-1)?.signature ?? from
  const step = { from, lastSignature, isRescan: false, keep: 0, sizeBefore }
  return record(d, tree, { ...step, head, fresh, leaves, known })
}

/**
 * Reads again everything after the last leaf that the chain confirms, or from the first transaction if it
 * confirms none. This repairs gaps, duplicates and wrong order. If the node doesn't show what is missing, the
 * confirmed leaves stay in use and another round asks again: reading all history because a node omitted one
 * transaction would stop deliveries for as long as that takes. A node with a short history can still repair
 * recent leaves.
 */
export async function rescanChain(d: FollowDependencies, tree: VerifiedTree): Promise<boolean> {
  d.log.event('rescan')
  const { lastSignature: from, slot } = await d.store.readCursor()
  const head = await d.chain.readHead()
  // Its head has fewer leaves than we hold, which doesn't invalidate them.
  if (head.slot < slot) throw new Error('the node lags behind the database')
  const roots = await d.chain.readRoots(head)
  const keep = tree.keepConfirmed(roots)
  const { transactions, known } = await readFrom(d, keep, head)
  const fresh = placed(transactions, keep)
  const leaves = append(d, tree, fresh)
  if (agrees(tree, head, roots)) {
    const lastSignature = transactions.at(-1)?.signature ?? from
    const step = { from, lastSignature, isRescan: true, keep, sizeBefore: keep }
    return record(d, tree, { ...step, head, fresh, leaves, known })
  }
  d.log.alert('root_mismatch')
  if (keep > 0) {
    tree.truncate(keep)
    tree.keepConfirmed(roots)
    tree.doubt(d.clock.nowMs())
    throw new Error('the node shows fewer transactions than leaves')
  }
  tree.refute(d.clock.nowMs())
  throw new Error("the chain's root can't be reproduced from the transactions this node shows")
}

/** The transactions after the first `keep` leaves, and the earlier deposits with the same order ids. */
async function readFrom(
  d: FollowDependencies,
  keep: number,
  head: FinalizedHead,
): Promise<{ transactions: TreeTransaction[]; known: DepositKey[] }> {
  const slotFrom = keep === 0 ? 0n : await d.store.readLeafSlot(keep - 1)
  const listed = await d.chain.readTreeTransactions(undefined, head, slotFrom)
  const transactions = inChainOrder(listed)
  if (keep === 0) return { transactions, known: [] }
  // In the last kept leaf's slot, some transactions may come before that leaf and others after it.
  const known = await d.store.readKnownLeaves(orderIdsOf(transactions), keep)
  return { transactions: withoutKnown(known, transactions), known }
}

type Step = Omit<FollowedBatch, 'deposits' | 'disowned'> & {
  readonly fresh: readonly LandedDeposit[]
  readonly known: readonly DepositKey[]
  readonly sizeBefore: number
}

async function record(d: FollowDependencies, tree: VerifiedTree, step: Step): Promise<boolean> {
  const { fresh, known, sizeBefore, ...batch } = step
  let isRecorded = false
  try {
    const { disowned, own } = await judgeDisputed(d, tree, batch.head)
    alertRepeated(d.log, known, fresh)
    // In the order in which they landed: the first is the order's own, even if a later one has the same id.
    const landed = [...own, ...fresh]
    const deposits = await planDeliveries(d, landed, batch.head.unixSeconds)
    isRecorded = await d.store.tryRecord({ ...batch, deposits, disowned }, d.clock.nowMs())
  } finally {
    // Leaves that weren't recorded are read again in the next round, from the database or the chain.
    if (!isRecorded && fresh.length > 0) tree.truncate(sizeBefore)
  }
  if (isRecorded) for (const _ of fresh) d.log.event('deposit_recorded')
  return isRecorded && fresh.length > 0
}

/**
 * True if we hold exactly the leaves the chain has at the head, and their root is the chain's. Roots
 * aren't read if no leaf was taken in since they were last compared.
 */
function agrees(tree: VerifiedTree, head: FinalizedHead, roots: RecentRoots | undefined): boolean {
  if (head.nextLeaf !== BigInt(tree.size)) return false
  return roots === undefined ? tree.isWhole : tree.check(roots)
}

function append(
  d: FollowDependencies,
  tree: VerifiedTree,
  fresh: readonly LandedDeposit[],
): StoredLeaf[] {
  const leaves = fresh.map((landed) => leafRow(d.poseidon, landed))
  tree.appendAll(leaves.map(({ leaf }) => leaf))
  return leaves
}
