import type { Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

/** Ends an attempt that program state has proven dead. */
export async function tryMarkDead(sql: Sql, orderId: Uint8Array, number: number): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE attempts SET state = 'dead'
     WHERE order_id = decode($1, 'hex') AND number = $2 AND state = 'live' RETURNING number`,
    [hexOf(orderId), number],
  )
  return rows.length === 1
}
