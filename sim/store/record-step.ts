import type {
  FollowedBatch,
  RecordedDeposit,
  StoredLeaf,
} from '../../packages/server/src/ports/settlement-store.ts'
import type { StatusNotifier } from '../../packages/server/src/adapters/store/status-notifier.ts'
import { notifyChange } from './memory-outbox.ts'
import { endHourOf, keyOf, type MemoryDatabase, type MemoryOrder } from './memory-database.ts'

/** Writes one step along the chain atomically; false if another worker was faster. */
export function recordStep(
  database: MemoryDatabase,
  batch: FollowedBatch,
  nowMs: number,
  notifier?: StatusNotifier,
): boolean {
  const waiting = [...database.orders.values()].filter(
    ({ status }) => status === 'awaiting_deposit',
  )
  const { cursor } = database
  const { head, from, lastSignature } = batch
  if (cursor === undefined || cursor.lastSignature !== from || cursor.slot > head.slot) return false
  const leaves = leavesAfter(database, batch)
  const { slot, blockHeight, unixSeconds } = head
  const followedAtMs = cursor.slot < slot ? nowMs : cursor.followedAtMs
  const at = { slot, blockHeight, unixSeconds, followedAtMs }
  database.cursor = { ...cursor, lastSignature, ...at }
  database.leaves.clear()
  for (const leaf of leaves) database.leaves.set(leaf.index, leaf)
  if (batch.isRescan) placeOrders(database, batch.keep)
  for (const deposit of batch.deposits) {
    if (adoptTerms(database, deposit)) markDeposited(database, deposit, nowMs)
  }
  for (const id of batch.disowned) expire(database.order(id), unixSeconds, nowMs)
  const owners = database.leafOwners()
  for (const [key, order] of database.orders) {
    if (!owners.has(key)) expire(order, unixSeconds, nowMs)
  }
  for (const order of waiting) {
    if (order.status !== 'awaiting_deposit') notifyChange(database, notifier, order, order.status)
  }
  return true
}

/** @throws Error if two leaves would share an index or a deposit; nothing has been written yet. */
function leavesAfter(
  database: MemoryDatabase,
  { isRescan, keep, leaves }: FollowedBatch,
): StoredLeaf[] {
  const kept = [...database.leaves.values()].filter(({ index }) => !isRescan || index < keep)
  const all = [...kept, ...leaves]
  const places = new Set(all.map(({ index }) => index))
  const deposits = new Set(all.map(({ orderId, slot }) => `${keyOf(orderId)} ${slot}`))
  if (places.size < all.length || deposits.size < all.length) {
    throw new Error('a leaf is there already')
  }
  return all
}

/** Sets each order's leaf index as the rescan found it. */
function placeOrders(database: MemoryDatabase, keep: number): void {
  for (const order of database.orders.values()) {
    if ((order.leafIndex ?? -1) >= keep) order.leafIndex = undefined
  }
  for (const { index, orderId, slot } of database.leaves.values()) {
    const order = database.order(orderId)
    // A later deposit may have the same id.
    if (index >= keep && order?.deposit?.slot === slot) order.leafIndex = index
  }
}

function adoptTerms(database: MemoryDatabase, { orderId, adopted }: RecordedDeposit): boolean {
  if (adopted === undefined) return true
  const order = database.order(orderId)
  const { sourceMint, destinationMint } = adopted
  const isListed = database.assets.has(sourceMint) && database.assets.has(destinationMint)
  if (order?.status !== 'awaiting_deposit' || !isListed) return false
  Object.assign(order, adopted)
  return true
}

function markDeposited(database: MemoryDatabase, deposit: RecordedDeposit, nowMs: number): void {
  const order = database.order(deposit.orderId)
  if (order?.status !== 'awaiting_deposit') return
  const { signature, slot, unixSeconds, leafIndex, sealedPlan } = deposit
  order.status = 'deposited'
  order.deposit = { signature, slot, unixSeconds }
  order.leafIndex = leafIndex
  order.sealedPlan = sealedPlan
  order.updatedAtMs = nowMs
  order.isDepositSeen = true
}

function expire(order: MemoryOrder | undefined, clock: bigint, nowMs: number): void {
  if (order?.status !== 'awaiting_deposit' || order.validUntil >= clock) return
  order.status = 'expired'
  order.updatedAtMs = Math.max(order.updatedAtMs, endHourOf(nowMs, clock))
  order.finalHourMs = endHourOf(nowMs, clock)
}
