import type { Sql } from '../sql.ts'
import { bytesOf } from './column-values.ts'

/** Orders that wait for a deposit nobody has seen yet, newest first. */
export async function listUnseen(sql: Sql, limit: number): Promise<Uint8Array[]> {
  const rows = await sql.query<{ readonly id: Uint8Array }>(
    `SELECT id FROM orders
     WHERE final_hour IS NULL AND status = 'awaiting_deposit' AND deposit_seen_at IS NULL
     ORDER BY created_at DESC LIMIT $1`,
    [limit],
  )
  return rows.map(({ id }) => bytesOf(id))
}
