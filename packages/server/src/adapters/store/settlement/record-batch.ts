import type { FollowedBatch } from '../../../ports/settlement-store.ts'
import { writeEvents, type NewEvent } from '../outbox/new-event.ts'
import type { PreparedEvents } from '../outbox/prepare-events.ts'
import type { Database } from '../sql.ts'
import { tryAdvanceCursor } from './cursor.ts'
import { expireOverdue, markDeposited } from './awaiting.ts'
import { hexOf } from '../../../domain/hex.ts'
import { dropLeaves, insertLeaves, placeOrders } from './leaves.ts'
import { freeNotes } from './open-payments.ts'

const NOTHING: PreparedEvents = { deposited: new Map(), expired: new Map() }

/**
 * Writes one step of the follower with the status changes that it causes, completely or not at all. Only unpaid orders
 * in `overdue` can expire. Returns the events of the status changes; undefined if another worker has already moved the
 * cursor.
 */
export function tryRecord(
  database: Database,
  batch: FollowedBatch,
  overdue: readonly Uint8Array[],
  nowMs: number,
  prepared: PreparedEvents = NOTHING,
): Promise<NewEvent[] | undefined> {
  return database.transaction(
    async (sql) => {
      if (!(await tryAdvanceCursor(sql, batch, nowMs))) return undefined
      if (batch.isRescan) await dropLeaves(sql, batch.keep)
      if (batch.leaves.length > 0) {
        await insertLeaves(sql, batch.leaves, batch.keep)
        await placeOrders(sql, batch.keep)
      }
      const events: (NewEvent | undefined)[] = []
      for (const deposit of batch.deposits) {
        const isMarked = await markDeposited(sql, deposit, batch.head, nowMs)
        if (isMarked) events.push(prepared.deposited.get(hexOf(deposit.orderId)))
      }
      const expiresBefore = batch.expiresBefore ?? batch.head.unixSeconds
      const expired = await expireOverdue(sql, overdue, {
        ...{ expiresBefore, nowMs, undeposited: batch.undeposited ?? [] },
      })
      await freeNotes(sql, expiresBefore)
      events.push(...expired.map((id) => prepared.expired.get(id)))
      const known = events.flatMap((event) => event ?? [])
      await writeEvents(sql, known)
      return known
    },
    // A rescan may write all leaves, so its transaction may be long.
    batch.isRescan ? 'long' : 'short',
  )
}
