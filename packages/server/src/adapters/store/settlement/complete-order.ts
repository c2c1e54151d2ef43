import { statusesBefore } from '../../../domain/order-state.ts'
import type { Outcome } from '../../../ports/settle-store.ts'
import type { Database } from '../sql.ts'
import { hexOf, hourOf } from './column-values.ts'

/** Ends an order and its live attempt. The times that stay in the clear are whole hours. */
export function tryComplete(
  database: Database,
  { orderId, to, sealedOutcome, attempt }: Outcome,
  nowMs: number,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const rows = await sql.query(
      `UPDATE orders
       SET status = $2, sealed_outcome = decode($3, 'hex'), updated_at = $4, final_hour = $4,
           lease_owner = NULL, lease_until = NULL
       WHERE id = decode($1, 'hex') AND status = ANY ($5::text[]) RETURNING id`,
      [hexOf(orderId), to, hexOf(sealedOutcome), hourOf(nowMs), statusesBefore(to)],
    )
    if (rows.length === 0) return false
    if (attempt !== undefined) {
      await sql.query(
        `UPDATE attempts SET state = $3
         WHERE order_id = decode($1, 'hex') AND number = $2 AND state = 'live'`,
        [hexOf(orderId), attempt.number, attempt.hasLanded ? 'landed' : 'dead'],
      )
    }
    return true
  })
}
