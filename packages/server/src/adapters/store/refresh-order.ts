import type { OrderStore } from '../../ports/order-store.ts'
import type { Sql } from './sql.ts'

// The newest height counts: two refreshes may be written in either order.
const QUERY = `UPDATE orders
  SET last_valid_block_height = greatest(last_valid_block_height, $2),
    valid_until = greatest(valid_until, $3), updated_at = $4
  WHERE id = $1 AND status = 'awaiting_deposit' RETURNING id`

/** Records a newer transaction of an order that still waits for its deposit. */
export const refreshOrder =
  (sql: Sql): OrderStore['tryRefresh'] =>
  async (orderId, { lastValidBlockHeight, validUntil }, nowMs) => {
    const rows = await sql.query(QUERY, [
      orderId,
      lastValidBlockHeight.toString(),
      validUntil.toString(),
      new Date(nowMs),
    ])
    return rows.length === 1
  }
