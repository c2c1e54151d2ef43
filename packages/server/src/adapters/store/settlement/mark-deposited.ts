import { statusesBefore } from '../../../domain/order-state.ts'
import type { RecordedDeposit } from '../../../ports/follow-store.ts'
import type { Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

/**
 * An order whose deposit is final is `deposited`; one that has moved on already is left alone, and false
 * is returned.
 */
export async function markDeposited(
  sql: Sql,
  deposit: RecordedDeposit,
  nowMs: number,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE orders
     SET status = 'deposited', deposit_signature = $2, deposit_slot = $3, deposit_at = $4,
         leaf_index = $5, sealed_plan = decode($6, 'hex'), updated_at = $7,
         deposit_seen_at = COALESCE(deposit_seen_at, $7)
     WHERE id = decode($1, 'hex') AND status = ANY ($8::text[]) RETURNING id`,
    [
      hexOf(deposit.orderId),
      deposit.signature,
      deposit.slot.toString(),
      deposit.unixSeconds.toString(),
      deposit.leafIndex,
      hexOf(deposit.sealedPlan),
      new Date(nowMs),
      statusesBefore('deposited'),
    ],
  )
  return rows.length === 1
}
