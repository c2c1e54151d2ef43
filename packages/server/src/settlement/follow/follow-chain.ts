import { least, RECENT, type RecentLeaf } from '@sotto/protocol'
import { isBehind } from '../../domain/followed-slot.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { FinalizedHead, RecentRoots, TreeSnapshot } from '../../ports/settlement-chain.ts'
import type { ChainCursor, FollowedBatch } from '../../ports/settlement-store.ts'
import { believableHead, recordedHead } from './believable-head.ts'
import { catchUp, type CaughtUp } from './catch-up.ts'
import type { FollowDependencies } from './follow-dependencies.ts'
import { planDeliveries } from './plan-delivery.ts'
import type { VerifiedTree } from './verified-tree.ts'

/**
 * Number of ring entries that the chain may overwrite between the request for the head and the request for the entries.
 */
const MARGIN = 64

/**
 * The result of a step along the chain. `nothing`: nothing was recorded, because another worker was faster or the node
 * lags behind the database. `tree`: the tree was recorded, without a new deposit. `deposits`: at least one new deposit
 * was recorded.
 */
export type Followed = 'nothing' | 'tree' | 'deposits'

/**
 * Takes one step along the finalized chain. The step reads new leaves from the tree account's ring of newest leaves,
 * and computes the root after the last leaf. If this root equals the ring's root, the step records leaves, deposits and
 * expiries together. If the roots differ, or if the ring has dropped a leaf, the step calls `rescanChain` (invariant
 * I9). Without a rescan, the number of requests is fixed: it doesn't grow with the number of transactions that name the
 * tree. The tree changes only after the node has answered, so known notes are paid even while the node is slow.
 */
export async function followChain(d: FollowDependencies, tree: VerifiedTree): Promise<Followed> {
  // Leaves are read before the cursor. So the cursor's slot is never older than the leaves.
  const stored = await d.store.readLeaves(tree.size)
  const cursor = await d.store.readCursor()
  const head = await believableHead(d.chain, cursor)
  // This node lags behind the database. In the next round, another node may answer.
  if (isBehind(head, cursor)) return 'nothing'
  const known = tree.size + stored.length
  const hasMissed = BigInt(known) < cursor.nextLeaf
  // Another worker has recorded a step since the leaves were read.
  if (hasMissed && (await d.store.readLeaves(known, 1)).length > 0) return 'nothing'
  const next = wholeNumber(head.nextLeaf)
  // If the database lacks a leaf but has later leaves, only a rescan replaces the later leaves.
  if (hasMissed || next < known || next - known > RECENT - MARGIN) {
    tree.appendAll(stored)
    return rescanChain(d, tree)
  }
  // If the head has no new leaf, our newest leaf is compared with the chain again. Another node may have invented our
  // newest leaf, and leaves decide which orders expire (invariant I8).
  const from = next === known ? Math.max(0, known - 1) : known
  const entries = next === 0 ? [] : await d.chain.readEntries(head, from)
  const fresh = entries.slice(known - from).map(({ leaf }) => leaf)
  const isTaken = tree.tryAppend([...stored, ...fresh], rootsOf(head, from, entries))
  if (isTaken) return record(d, tree, { cursor, head, keep: known, fresh, isRescan: false })
  tree.appendAll(stored)
  return rescanChain(d, tree)
}

/**
 * Finds the last of our leaves that the chain confirms, and reads all later leaves again. The later leaves come from
 * the ring, or from another source if the ring has dropped some of them. If no source has the missing leaves now, the
 * confirmed leaves stay in use, and the next round tries again.
 */
export async function rescanChain(d: FollowDependencies, tree: VerifiedTree): Promise<Followed> {
  d.log.event('rescan')
  const cursor = await d.store.readCursor()
  const head = await believableHead(d.chain, cursor)
  // The node's head has an older slot than the cursor, so it proves nothing against our leaves.
  if (isBehind(head, cursor)) throw new Error('the node lags behind the database')
  // The tree may now lose leaves, or get false ones. Until the step is recorded, neither time is true of its leaves.
  d.witness?.forget()
  tree.followedAt = undefined
  const missing = await readMissing(d, tree, await readRing(d, tree, head), cursor)
  if (missing === 'unavailable') throw new Error('no source has the missing leaves now')
  if (missing !== 'refuted') return record(d, tree, { cursor, head, ...missing, isRescan: true })
  tree.doubt(d.clock.nowMs())
  d.log.alert('root_mismatch')
  throw new Error("the chain's root can't be reproduced from the leaves that the sources show")
}

/**
 * Reads the whole ring. If the ring doesn't confirm our newest root, reads it a second time and returns the second
 * answer. So one bad answer doesn't discard a tree that takes long to hash.
 */
async function readRing(
  { chain }: Pick<FollowDependencies, 'chain'>,
  tree: VerifiedTree,
  { slot }: FinalizedHead,
): Promise<TreeSnapshot> {
  const ring = await chain.readTree(slot)
  const isConfirmed = tree.size === 0 || ring.entry(tree.size - 1)?.root === tree.root
  return isConfirmed ? ring : chain.readTree(slot)
}

/**
 * Appends the leaves that the tree lacks. They come from a snapshot of the ring, or from another source if the ring has
 * dropped some of them. If the leaves can't be appended now, the tree keeps its confirmed leaves.
 */
async function readMissing(
  d: FollowDependencies,
  tree: VerifiedTree,
  snapshot: TreeSnapshot,
  cursor: ChainCursor,
): Promise<CaughtUp | 'refuted' | 'unavailable'> {
  const roots: RecentRoots = {
    nextLeaf: snapshot.nextLeaf,
    rootAfter: (index) => snapshot.entry(index)?.root,
  }
  const next = wholeNumber(snapshot.nextLeaf)
  const ringFrom = Math.max(0, next - RECENT)
  const ringLeaves = (from: number) =>
    Array.from({ length: next - from }, (_, place) => snapshot.entry(from + place)?.leaf ?? 0n)
  const keep = tree.keepConfirmed(roots)
  if (keep !== undefined && keep >= ringFrom) {
    const fresh = ringLeaves(keep)
    return tree.tryAppend(fresh, roots) ? { keep, fresh } : 'refuted'
  }
  return catchUp(d, tree, { ringFrom, ring: ringLeaves(ringFrom), roots, slot: cursor.slot })
}

function rootsOf(head: FinalizedHead, from: number, entries: readonly RecentLeaf[]): RecentRoots {
  return { nextLeaf: head.nextLeaf, rootAfter: (index) => entries[index - from]?.root }
}

interface Step {
  readonly cursor: ChainCursor
  readonly head: FinalizedHead
  readonly keep: number
  readonly fresh: readonly bigint[]
  readonly isRescan: boolean
}

/**
 * Adds the leaves that this process has recorded and the database has lost, for example in a failover to a standby that
 * lacked the last transactions. The step records them again. Otherwise the new leaves would follow a gap.
 */
function withLost(tree: VerifiedTree, step: Step): Step {
  const stored = wholeNumber(step.cursor.nextLeaf)
  if (step.keep <= stored) return step
  const lost = Array.from(
    { length: step.keep - stored },
    (_, place) => tree.leaf(stored + place) ?? 0n,
  )
  return { ...step, keep: stored, fresh: [...lost, ...step.fresh], isRescan: true }
}

async function record(d: FollowDependencies, tree: VerifiedTree, step: Step): Promise<Followed> {
  const { cursor, keep, fresh, isRescan } = withLost(tree, step)
  // The recorded number of leaves is the size of the verified tree. A node's own number may be false.
  const shown = { ...step.head, nextLeaf: BigInt(tree.size) }
  const nowMs = d.clock.nowMs()
  const recorded = recordedHead(shown, cursor, nowMs, d.clockMarginSeconds)
  const { head } = recorded
  let isRecorded = false
  let deposits: FollowedBatch['deposits'] = []
  try {
    const followed = { head: shown, nowSeconds: head.unixSeconds }
    const leafAt = (index: number) => (index < tree.size ? tree.leaf(index) : undefined)
    const found = await planDeliveries(d, { keep, leaves: fresh }, followed, leafAt)
    deposits = found.deposits
    const witnessed = await d.witness?.compare()
    const { expiresBefore: before } = recorded
    const expiresBefore = witnessed === undefined ? before : least(before, witnessed)
    const from = cursor.nextLeaf
    const batch = { from, head, expiresBefore, keep, isRescan, leaves: fresh, ...found }
    isRecorded = await d.store.tryRecord(batch, d.clock.nowMs())
    if (isRecorded && witnessed !== undefined) d.witness?.publish(witnessed)
  } finally {
    // If the store didn't record the step, the tree drops the new leaves. The next round reads them again, from the
    // database or from the chain.
    if (!isRecorded && fresh.length > 0) tree.truncate(step.keep)
  }
  if (!isRecorded) return 'nothing'
  tree.followedAt = step.head.unixSeconds
  if (head.slot < step.head.slot) d.catchingUp?.()
  for (const _ of deposits) d.log.event('deposit_recorded')
  d.deposited?.(deposits.map(({ orderId }) => orderId))
  return deposits.length > 0 ? 'deposits' : 'tree'
}
