import type {
  FollowedBatch,
  RecordedDeposit,
} from '../../packages/server/src/ports/settlement-store.ts'
import type { StatusNotifier } from '../../packages/server/src/adapters/store/status-notifier.ts'
import { SLOTS_AHEAD_MAX } from '../../packages/server/src/domain/followed-slot.ts'
import { notifyChange } from './memory-outbox.ts'
import {
  endHourOf,
  keyOf,
  type MemoryCursor,
  type MemoryDatabase,
  type MemoryOrder,
} from './memory-database.ts'

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
  const { head, from, keep, leaves } = batch
  if (cursor === undefined || cursor.nextLeaf !== from || isAhead(cursor, head)) return false
  const isTaken = !batch.isRescan && leaves.length > 0 && keep < database.leaves.length
  if (isTaken) throw new Error('another leaf is stored at this place')
  const { slot, blockHeight, unixSeconds } = head
  const followedAtMs = cursor.slot !== slot ? nowMs : cursor.followedAtMs
  const nextLeaf = BigInt(keep + leaves.length)
  database.cursor = { ...cursor, nextLeaf, slot, blockHeight, unixSeconds, followedAtMs }
  database.leaves.splice(keep, Infinity, ...leaves)
  if (batch.isRescan) placeOrders(database)
  for (const deposit of batch.deposits) markDeposited(database, deposit, unixSeconds, nowMs)
  const expiresBefore = batch.expiresBefore ?? unixSeconds
  const undeposited = new Set((batch.undeposited ?? []).map(keyOf))
  for (const order of waiting) {
    const hasLeaf = database.leaves.includes(order.leaf) && !undeposited.has(keyOf(order.id))
    if (!hasLeaf) expire(database, order, expiresBefore, nowMs)
  }
  if (batch.isRescan) awaitAgain(database, nowMs)
  for (const order of waiting) {
    if (order.status !== 'awaiting_deposit') notifyChange(database, notifier, order, order.status)
  }
  return true
}

/** True if the cursor is further than a head, and not so far that a lie brought it there. */
function isAhead(cursor: MemoryCursor, head: FollowedBatch['head']): boolean {
  const isLie = cursor.slot > head.slot + SLOTS_AHEAD_MAX && cursor.nextLeaf <= head.nextLeaf
  return cursor.slot > head.slot && !isLie
}

/** Sets each deposited order's leaf index as the rescan found it. */
function placeOrders(database: MemoryDatabase): void {
  for (const order of database.orders.values()) {
    if (order.leafIndex === undefined) continue
    const index = database.leaves.indexOf(order.leaf)
    order.leafIndex = index < 0 ? undefined : index
  }
}

/** Lets orders whose leaf was invented and dropped await their deposit again. */
function awaitAgain(database: MemoryDatabase, nowMs: number): void {
  for (const order of database.orders.values()) {
    if (order.status !== 'deposited' || order.leafIndex !== undefined) continue
    order.status = 'awaiting_deposit'
    order.deposit = undefined
    order.sealedPlan = undefined
    order.updatedAtMs = nowMs
  }
}

function markDeposited(
  database: MemoryDatabase,
  { orderId, leafIndex, sealedPlan }: RecordedDeposit,
  unixSeconds: bigint,
  nowMs: number,
): void {
  const order = database.order(orderId)
  if (order?.status !== 'awaiting_deposit') return
  order.status = 'deposited'
  order.deposit = { unixSeconds, signature: undefined, slot: undefined }
  order.leafIndex = leafIndex
  order.sealedPlan = sealedPlan
  order.updatedAtMs = nowMs
  order.isDepositSeen = true
}

/** Ends an unpaid order past its last authorisation, whose deposit isn't in the tree. */
function expire(
  database: MemoryDatabase,
  order: MemoryOrder,
  expiresBefore: bigint,
  nowMs: number,
): void {
  const clock = database.cursor?.unixSeconds ?? 0n
  if (order.status !== 'awaiting_deposit' || order.validUntil >= expiresBefore) return
  order.status = 'expired'
  order.updatedAtMs = Math.max(order.updatedAtMs, endHourOf(nowMs, clock))
  order.finalHourMs = endHourOf(nowMs, clock)
}
