import type { DepositKey } from '../../../ports/follow-store.ts'
import type { Sql } from '../sql.ts'
import { bytesOf, hexOf } from './column-values.ts'

/** The deposits with these ids that have a leaf already, of an index below `below`. */
export async function readKnownLeaves(
  sql: Sql,
  orderIds: readonly Uint8Array[],
  below: number,
): Promise<DepositKey[]> {
  const rows = await sql.query<{ readonly order_id: Uint8Array; readonly slot: string }>(
    `SELECT order_id, slot FROM leaves
     WHERE leaf_index < $2
       AND order_id IN (SELECT decode(id, 'hex') FROM unnest($1::text[]) AS given (id))`,
    [orderIds.map(hexOf), below],
  )
  return rows.map(({ order_id, slot }) => ({ orderId: bytesOf(order_id), slot: BigInt(slot) }))
}
