import type { Sql } from '../sql.ts'
import { bytesOf } from './column-values.ts'

/** Orders that wait for a deposit that was not seen yet, in turns: the newest of each account or network first. */
export async function listUnseen(sql: Sql, limit: number): Promise<Uint8Array[]> {
  const rows = await sql.query<{ readonly id: Uint8Array }>(
    `SELECT id FROM (
       SELECT id, created_at,
              row_number() OVER (PARTITION BY account_id, network ORDER BY created_at DESC) AS turn
       FROM orders
       WHERE final_hour IS NULL AND status = 'awaiting_deposit' AND deposit_seen_at IS NULL
     ) AS unseen ORDER BY turn, created_at DESC LIMIT $1`,
    [limit],
  )
  return rows.map(({ id }) => bytesOf(id))
}
