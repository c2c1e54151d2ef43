import type { Sql } from '../sql.ts'
import { bytesOf, hexOf } from './column-values.ts'

/** Which of these orders have a leaf already, of an index below `below`. */
export async function readKnownLeaves(
  sql: Sql,
  orderIds: readonly Uint8Array[],
  below: number,
): Promise<Uint8Array[]> {
  const rows = await sql.query<{ readonly order_id: Uint8Array }>(
    `SELECT order_id FROM leaves
     WHERE leaf_index < $2
       AND order_id IN (SELECT decode(id, 'hex') FROM unnest($1::text[]) AS given (id))`,
    [orderIds.map(hexOf), below],
  )
  return rows.map(({ order_id }) => bytesOf(order_id))
}
