import { fieldToBytes } from '@sotto/protocol'
import type { StoredLeaf } from '../../../ports/follow-store.ts'
import type { Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

export async function insertLeaves(sql: Sql, leaves: readonly StoredLeaf[]): Promise<void> {
  if (leaves.length === 0) return
  await sql.query(
    `INSERT INTO leaves (leaf_index, leaf, order_id, slot)
     SELECT leaf_index, decode(leaf, 'hex'), decode(order_id, 'hex'), slot
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[])
       AS given (leaf_index, leaf, order_id, slot)`,
    [
      leaves.map(({ index }) => `${index}`),
      leaves.map(({ leaf }) => hexOf(fieldToBytes(leaf))),
      leaves.map(({ orderId }) => hexOf(orderId)),
      leaves.map(({ slot }) => slot.toString()),
    ],
  )
}
