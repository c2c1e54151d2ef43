import type { OrderStore } from '../../ports/order-store.ts'
import type { Sql } from './sql.ts'

// The older of two concurrent refreshes may be written last. So the greater height is kept.
const QUERY = `UPDATE orders
  SET last_valid_block_height = greatest(last_valid_block_height, $2), updated_at = $3
  WHERE id = $1 AND status = 'awaiting_deposit' RETURNING id`

/** Records a newer transaction of an order that is still awaiting its deposit. */
export const refreshOrder =
  (sql: Sql): OrderStore['tryRefresh'] =>
  async (orderId, lastValidBlockHeight, nowMs) => {
    const values = [orderId, lastValidBlockHeight.toString(), new Date(nowMs)]
    return (await sql.query(QUERY, values)).length === 1
  }
