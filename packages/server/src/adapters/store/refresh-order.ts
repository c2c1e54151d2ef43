import type { NewestTransaction, OrderStore } from '../../ports/order-store.ts'
import type { Database, Sql } from './sql.ts'
import { roomFor } from './swap-room.ts'

// The newest height counts: two refreshes may be written in either order.
const QUERY = `UPDATE orders
  SET last_valid_block_height = greatest(last_valid_block_height, $2),
    valid_until = greatest(valid_until, $3), updated_at = $4
  WHERE id = $1 AND status = 'awaiting_deposit' RETURNING id`

async function update(
  sql: Sql,
  orderId: Uint8Array,
  { lastValidBlockHeight, validUntil }: NewestTransaction,
  nowMs: number,
): Promise<'refreshed' | 'not_awaiting'> {
  const rows = await sql.query(QUERY, [
    orderId,
    lastValidBlockHeight.toString(),
    validUntil.toString(),
    new Date(nowMs),
  ])
  return rows.length === 1 ? 'refreshed' : 'not_awaiting'
}

/**
 * Records a newer transaction of an order that still waits for its deposit. A swap whose reservation
 * has lapsed must fit in again, or refreshing would be the way around the cap.
 */
export const refreshOrder =
  (database: Database): OrderStore['tryRefresh'] =>
  async (order, newest, swap, nowMs) => {
    if (swap === undefined) return update(database, order.id, newest, nowMs)
    return database.transaction(async (sql) => {
      const room = await roomFor(sql, order, swap)
      return room === 'room' ? update(sql, order.id, newest, nowMs) : room
    })
  }
