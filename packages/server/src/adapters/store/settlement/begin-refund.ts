import { statusesBefore } from '../../../domain/order-state.ts'
import type { Lease } from '../../../ports/settle-store.ts'
import type { Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

/** Moves an order without a live attempt to `refunding`. */
export async function tryBeginRefund(
  sql: Sql,
  { orderId, fence }: Lease,
  sealedPlan: Uint8Array,
  nowMs: number,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE orders SET status = 'refunding', sealed_plan = decode($3, 'hex'), updated_at = $4
     WHERE id = decode($1, 'hex') AND lease_fence = $2 AND status = ANY ($5::text[])
       AND NOT EXISTS (SELECT 1 FROM attempts
                       WHERE attempts.order_id = orders.id AND attempts.state = 'live')
     RETURNING id`,
    [
      hexOf(orderId),
      fence.toString(),
      hexOf(sealedPlan),
      new Date(nowMs),
      statusesBefore('refunding'),
    ],
  )
  return rows.length === 1
}
