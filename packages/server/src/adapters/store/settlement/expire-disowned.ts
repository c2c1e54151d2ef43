import { statusesBefore } from '../../../domain/order-state.ts'
import type { FinalizedHead } from '../../../ports/chain-follow.ts'
import type { Sql } from '../sql.ts'
import { hexOf, hourOf, LATEST_HOUR } from './column-values.ts'

/** Ends overdue orders whose only leaf is proven to be no note of theirs (I8); their ids in hex. */
export async function expireDisowned(
  sql: Sql,
  orderIds: readonly Uint8Array[],
  head: FinalizedHead,
  nowMs: number,
): Promise<string[]> {
  if (orderIds.length === 0) return []
  const rows = await sql.query<{ readonly id: string }>(
    `UPDATE orders SET status = 'expired', final_hour = ended.hour,
         updated_at = GREATEST(orders.updated_at, ended.hour)
     FROM (SELECT LEAST($3::timestamptz, ${LATEST_HOUR}) AS hour FROM chain_cursor) AS ended
     WHERE status = ANY ($4::text[]) AND valid_until < $2
       AND orders.id IN (SELECT decode(id, 'hex') FROM unnest($1::text[]) AS given (id))
     RETURNING encode(orders.id, 'hex') AS id`,
    [orderIds.map(hexOf), head.unixSeconds.toString(), hourOf(nowMs), statusesBefore('expired')],
  )
  return rows.map(({ id }) => id)
}
