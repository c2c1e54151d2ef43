import { TREE_LEAVES, type UnixSeconds } from '@sotto/protocol'
import type { FoundSettlement, SettledNote } from '../../ports/settlement-chain.ts'
import type { FollowStore, HealthStore, PayStore } from '../../ports/settlement-store.ts'
import type { TreeWitness } from '../follow/tree-witness.ts'
import type { VerifiedTree } from '../follow/verified-tree.ts'
import { unknownLeaves } from './unknown-leaves.ts'
import { READINGS_APART_SECONDS } from './evidence-times.ts'
import type { FirstReadings } from './first-readings.ts'
import type { NoteOpener } from './open-note.ts'
import type { OpenedOrder } from './opened-order.ts'

export interface EvidenceDependencies {
  readonly store: Pick<HealthStore, 'findLeaves' | 'readLedger'> &
    Pick<PayStore, 'listOpen' | 'listPayments'> &
    Pick<FollowStore, 'readCursor'>
  readonly opener: Pick<NoteOpener, 'openAll' | 'openPayments'>
  readonly tree: Pick<VerifiedTree, 'isVerified' | 'size' | 'leaf'>
  readonly firstReadings: FirstReadings
}

/** The answers of nodes about a note's settlement. */
export interface ReportedSettlement {
  readonly isRefund: boolean
  readonly settled: SettledNote
  readonly found: FoundSettlement | undefined
}

/** Returns the notes among `opened` whose expected change leaf is in the database. */
export async function withChangeLeaf(
  { store }: { readonly store: Pick<HealthStore, 'findLeaves'> },
  opened: readonly OpenedOrder[],
): Promise<OpenedOrder[]> {
  const places = await store.findLeaves(opened.map(({ changeLeaf }) => changeLeaf))
  return opened.filter(({ changeLeaf }) => places.has(changeLeaf))
}

/**
 * True if there is more evidence of a note's settlement than a single node's answer. Every settlement appends a leaf,
 * and a root of the chain confirms the tree's leaves. The leaf that we expect depends on the note's secret, so a node
 * can't invent it.
 *
 * A ticket's holder can choose another leaf. Then the transaction must name a leaf of the tree, and the tree must have
 * a leaf that no order explains. A refund in a full tree appends no leaf, so its transaction or a second reading must
 * confirm it.
 */
export async function isCorroborated(
  d: EvidenceDependencies,
  opened: OpenedOrder,
  { isRefund, settled, found }: ReportedSettlement,
): Promise<boolean> {
  if (await isAppended(d, opened, opened.changeLeaf)) return true
  if (isRefund && isFull(d)) return found !== undefined || (await isReadAgain(d, opened, settled))
  if (found === undefined || found.changeLeaf === opened.changeLeaf) return false
  return (await isAppended(d, opened, found.changeLeaf)) && (await hasUnknown(d))
}

/** True if a transaction that a node showed in a note's history agrees with the tree. */
export async function isFoundInTree(
  d: Pick<EvidenceDependencies, 'store' | 'tree'>,
  opened: OpenedOrder,
  { isRefund, changeLeaf }: FoundSettlement,
): Promise<boolean> {
  if (isRefund && isFull(d)) return true
  return isAppended(d, opened, changeLeaf)
}

/**
 * True if the followed tree has every leaf up to a note's settlement. Before that, the leaf that seems to confirm the
 * settlement may be an equal leaf that another note's settlement appended. If the order ended so early, the count of
 * explained leaves would be one too high until the order's own leaf is followed. Meanwhile the other note's order
 * couldn't end.
 *
 * The transaction's slot is the faster evidence. But a node may show a false slot that is too high. So a followed clock
 * past the settlement's time is accepted too. If the slot is too low, the order ends early. Because of such cases,
 * `leafExplainer` requires two counts of the leaves.
 */
export async function isFollowedTo(
  { store }: { readonly store: Pick<FollowStore, 'readCursor'> },
  atSeconds: UnixSeconds,
  found: Pick<FoundSettlement, 'slot'> | undefined,
): Promise<boolean> {
  const cursor = await store.readCursor()
  return cursor.unixSeconds > atSeconds || (found !== undefined && found.slot <= cursor.slot)
}

/**
 * Returns the time to record for a settlement: `atSeconds`, the time that a node shows, or the followed clock,
 * whichever is earlier. Later checks compare other times of the chain with the recorded time, so no single node may
 * move it ahead. The tree is followed up to the settlement, so the true time isn't after the followed clock.
 */
export async function recordedTime(
  { store }: { readonly store: Pick<FollowStore, 'readCursor'> },
  atSeconds: UnixSeconds,
): Promise<UnixSeconds> {
  const { unixSeconds } = await store.readCursor()
  return atSeconds < unixSeconds ? atSeconds : unixSeconds
}

/** True if the tree has no room for another leaf. Then refunds append no leaf. */
const isFull = ({ tree }: Pick<EvidenceDependencies, 'tree'>): boolean =>
  tree.isVerified && BigInt(tree.size) >= TREE_LEAVES

/**
 * True if the stored leaves and the verified tree have this leaf at an index after the note's own leaf. The result
 * false doesn't prove that the leaf is missing. Another worker's node may have shown false leaves, and these may have
 * replaced the true ones in the database. See `mayBeAppended`.
 */
export async function isAppended(
  { store, tree }: Pick<EvidenceDependencies, 'store' | 'tree'>,
  { leafIndex }: OpenedOrder,
  leaf: bigint,
): Promise<boolean> {
  if (!tree.isVerified) return false
  const index = (await store.findLeaves([leaf])).get(leaf)
  return index !== undefined && index > leafIndex && tree.leaf(index) === leaf
}

interface StoreAndTree {
  readonly store: Pick<HealthStore, 'findLeaves'>
  readonly tree: Pick<VerifiedTree, 'has'>
}

/**
 * True if this process's tree or the stored leaves have a note's change leaf at an index after the note's own leaf. The
 * tree is read last, after all waiting. So if the result is false, the caller may ask at once up to which time the tree
 * is followed or confirmed. The leaf was then missing up to this time.
 */
export async function mayBeAppended(
  { store, tree }: StoreAndTree,
  { leafIndex, changeLeaf }: Pick<OpenedOrder, 'leafIndex' | 'changeLeaf'>,
): Promise<boolean> {
  const index = (await store.findLeaves([changeLeaf])).get(changeLeaf)
  return (index !== undefined && index > leafIndex) || tree.has(changeLeaf, leafIndex + 1)
}

interface FollowedTree {
  readonly tree: Pick<VerifiedTree, 'followedAt' | 'isVerified'>
  /** Undefined if only one node is configured. */
  readonly witness?: Pick<TreeWitness, 'confirmed'> | undefined
}

/**
 * True if the verified tree has every leaf from before a note's expiry. If the note was delivered, the tree then has
 * the delivery's leaf. A single node may hide the Nullifier. So when the service finds this leaf, it asks every node
 * for the Nullifier. A single node may also show an old tree, so with several nodes, two of them must confirm the tree.
 */
export function isFollowedPast(
  { tree: { followedAt, isVerified }, witness }: FollowedTree,
  { note }: Pick<OpenedOrder, 'note'>,
): boolean {
  if (followedAt === undefined || !isVerified) return false
  return (witness?.confirmed(followedAt) ?? followedAt) > note.expiry
}

/**
 * True if the tree has an unexplained leaf. A note that can't be opened now may be spent. So each such note counts as
 * the explanation of one leaf.
 */
export async function hasUnknown(
  d: Pick<EvidenceDependencies, 'store' | 'opener'>,
): Promise<boolean> {
  // The ledger's counts are read last. If a payment completes between the reads, one leaf too many counts as explained.
  // This error is harmless: the order only ends later.
  const payments = await d.store.listPayments()
  const openPayments = await d.opener.openPayments(payments)
  const closedPayments = payments.length - openPayments.length
  const appendedPayments = (await withChangeLeaf(d, openPayments)).length + closedPayments
  const open = await d.store.listOpen()
  const opened = await d.opener.openAll(open)
  const settled = (await withChangeLeaf(d, opened)).length + open.length - opened.length
  const ledger = await d.store.readLedger()
  return unknownLeaves(ledger, { count: open.length, settled, appendedPayments }) > 0
}

/**
 * True if two readings, `READINGS_APART_SECONDS` apart, show the Nullifier. With several nodes, two of them must show
 * it.
 */
async function isReadAgain(
  { firstReadings, store }: EvidenceDependencies,
  { order: { orderId } }: OpenedOrder,
  { isAlone }: SettledNote,
): Promise<boolean> {
  if (isAlone === true) return false
  const { unixSeconds } = await store.readCursor()
  return unixSeconds >= firstReadings.first(orderId, unixSeconds) + READINGS_APART_SECONDS
}
