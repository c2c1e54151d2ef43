import { statusesBefore } from '../../../domain/order-state.ts'
import type { FinalizedHead } from '../../../ports/chain-follow.ts'
import type { Sql } from '../sql.ts'
import { hourOf, LATEST_HOUR } from './column-values.ts'

/**
 * Ends orders that the finalized clock is past the last authorisation of and which have no leaf. Runs only in the
 * transaction that makes the leaves complete up to that slot (I8). Returns their ids in hex. None of them
 * is final: saying so has the index of open orders serve, where all that ended would be read otherwise.
 */
export async function expireOverdue(
  sql: Sql,
  head: FinalizedHead,
  nowMs: number,
): Promise<string[]> {
  const rows = await sql.query<{ readonly id: string }>(
    `UPDATE orders SET status = 'expired', final_hour = ended.hour,
         updated_at = GREATEST(orders.updated_at, ended.hour)
     FROM (SELECT LEAST($2::timestamptz, ${LATEST_HOUR}) AS hour FROM chain_cursor) AS ended
     WHERE orders.final_hour IS NULL AND status = ANY ($3::text[]) AND valid_until < $1
       AND NOT EXISTS (SELECT 1 FROM leaves WHERE leaves.order_id = orders.id)
     RETURNING encode(id, 'hex') AS id`,
    [head.unixSeconds.toString(), hourOf(nowMs), statusesBefore('expired')],
  )
  return rows.map(({ id }) => id)
}
