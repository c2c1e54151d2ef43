import type { Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

/** Records orders that no key opens any more, so that their leaves stop holding other keys back. */
export async function writeOff(sql: Sql, orderIds: readonly Uint8Array[]): Promise<void> {
  await sql.query(
    `INSERT INTO written_off (order_id)
     SELECT decode(id, 'hex') FROM unnest($1::text[]) AS id ON CONFLICT DO NOTHING`,
    [orderIds.map(hexOf)],
  )
}
