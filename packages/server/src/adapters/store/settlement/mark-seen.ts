import type { Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

/** Notes that a deposit was seen, at whatever commitment. */
export async function markSeen(
  sql: Sql,
  orderIds: readonly Uint8Array[],
  nowMs: number,
): Promise<void> {
  await sql.query(
    `UPDATE orders SET deposit_seen_at = $2, updated_at = $2
     WHERE deposit_seen_at IS NULL AND status = 'awaiting_deposit'
       AND id IN (SELECT decode(id, 'hex') FROM unnest($1::text[]) AS given (id))`,
    [orderIds.map(hexOf), new Date(nowMs)],
  )
}
