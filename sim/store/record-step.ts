import type { UnixSeconds } from '@sotto/protocol'
import type {
  FollowedBatch,
  RecordedDeposit,
} from '../../packages/server/src/ports/settlement-store.ts'
import type { StatusNotifier } from '../../packages/server/src/adapters/store/status-notifier.ts'
import type { OrderStatus } from '../../packages/server/src/domain/order-state.ts'
import { SLOTS_AHEAD_MAX } from '../../packages/server/src/domain/followed-slot.ts'
import { notifyChange } from './memory-outbox.ts'
import { isAwaiting } from './memory-payment-store.ts'
import {
  endHourOf,
  keyOf,
  type MemoryCursor,
  type MemoryDatabase,
  type MemoryOrder,
  type MemoryPayment,
} from './memory-database.ts'

/** Writes one step of following the chain atomically. Returns false if another worker has already written a step. */
export function recordStep(
  database: MemoryDatabase,
  batch: FollowedBatch,
  nowMs: number,
  notifier?: StatusNotifier,
): boolean {
  const waiting = [...database.orders.values()].filter(isAwaiting)
  const unsigned = [...database.payments.values()].filter(isAwaiting)
  const { cursor } = database
  const { head, from, keep, leaves } = batch
  if (cursor === undefined || cursor.nextLeaf !== from || isAhead(cursor, head)) return false
  const isTaken = !batch.isRescan && leaves.length > 0 && keep < database.leaves.length
  if (isTaken) throw new Error('another leaf is stored at this place')
  const { slot, blockHeight, unixSeconds } = head
  const followedAtMs = cursor.slot !== slot ? nowMs : cursor.followedAtMs
  const nextLeaf = BigInt(keep + leaves.length)
  database.cursor = { ...cursor, nextLeaf, slot, blockHeight, unixSeconds, followedAtMs }
  if (leaves.length > 0 || keep < database.leaves.length) database.replaceLeaves(keep, leaves)
  placeOrders(database, batch.isRescan)
  for (const deposit of batch.deposits) markDeposited(database, deposit, unixSeconds, nowMs)
  const expiresBefore = batch.expiresBefore ?? unixSeconds
  const undeposited = new Set((batch.undeposited ?? []).map(keyOf))
  for (const order of waiting) {
    const isStored = database.indexOf(order.leaf) !== undefined
    const hasLeaf = isStored && !undeposited.has(keyOf(order.id))
    if (!hasLeaf) expire(database, order, expiresBefore, nowMs)
  }
  for (const payment of unsigned) expire(database, payment, expiresBefore, nowMs)
  freeNotes(database, expiresBefore)
  for (const row of [...waiting, ...unsigned]) {
    if (!isAwaiting(row)) notifyChange(database, notifier, row, row.status)
  }
  return true
}

/**
 * True if the stored cursor is ahead of the head that a node reported. But false if the cursor is very far ahead and
 * has no more leaves than the head, because then a node's wrong answer must have moved the cursor.
 */
function isAhead(cursor: MemoryCursor, head: FollowedBatch['head']): boolean {
  const isLie = cursor.slot > head.slot + SLOTS_AHEAD_MAX && cursor.nextLeaf <= head.nextLeaf
  return cursor.slot > head.slot && !isLie
}

/** Sets the leaf index of each deposited order that has none. After a rescan, sets it for all deposited orders. */
function placeOrders(database: MemoryDatabase, isRescan: boolean): void {
  for (const order of database.orders.values()) {
    if (NEVER_DEPOSITED.includes(order.status)) continue
    if (order.leafIndex !== undefined && !isRescan) continue
    order.leafIndex = database.indexOf(order.leaf)
  }
}

/**
 * Statuses of orders that had no deposit before this step. `markDeposited` sets the leaf index of orders that this
 * step marks as deposited.
 */
const NEVER_DEPOSITED: readonly OrderStatus[] = ['awaiting_deposit', 'expired']

function markDeposited(
  database: MemoryDatabase,
  { orderId, leafIndex, sealedPlan }: RecordedDeposit,
  unixSeconds: UnixSeconds,
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

/** Frees the notes of payments that ended before `endedBefore`. The chain's clock has passed this time. */
function freeNotes({ reservedNotes }: MemoryDatabase, endedBefore: UnixSeconds): void {
  for (const [name, validUntil] of reservedNotes) {
    if (validUntil < endedBefore) reservedNotes.delete(name)
  }
}

/**
 * Expires an unpaid order if its last authorisation has ended and it isn't marked as deposited. Also expires an
 * unsigned payment.
 */
function expire(
  database: MemoryDatabase,
  order: MemoryOrder | MemoryPayment,
  expiresBefore: UnixSeconds,
  nowMs: number,
): void {
  const clock = database.cursor?.unixSeconds ?? 0n
  if (!isAwaiting(order) || order.validUntil >= expiresBefore) return
  order.status = 'expired'
  order.updatedAtMs = Math.max(order.updatedAtMs, endHourOf(nowMs, clock))
  order.finalHourMs = endHourOf(nowMs, clock)
}
