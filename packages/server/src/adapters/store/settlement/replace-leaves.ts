import type { StoredLeaf } from '../../../ports/follow-store.ts'
import type { Sql } from '../sql.ts'
import { insertLeaves } from './insert-leaves.ts'

/** Puts a rescan's leaves in place of all from index `keep` on, and each order's index with them. */
export async function replaceLeaves(
  sql: Sql,
  leaves: readonly StoredLeaf[],
  keep: number,
): Promise<void> {
  await sql.query('DELETE FROM leaves WHERE leaf_index >= $1', [keep])
  await insertLeaves(sql, leaves)
  // By the slot of its deposit, as a later one may bear the same id. Two steps: while indexes move, two orders would share one.
  await sql.query('UPDATE orders SET leaf_index = NULL WHERE leaf_index >= $1', [keep])
  await sql.query(
    `UPDATE orders SET leaf_index = leaves.leaf_index
     FROM leaves WHERE leaves.order_id = orders.id AND leaves.leaf_index >= $1
       AND leaves.slot = orders.deposit_slot`,
    [keep],
  )
}
