import type { StoredLeaf } from '../../../ports/follow-store.ts'
import type { Sql } from '../sql.ts'
import { insertLeaves } from './insert-leaves.ts'

/** Puts a rescan's leaves in place of all that are stored, and each order's index with them. */
export async function replaceLeaves(sql: Sql, leaves: readonly StoredLeaf[]): Promise<void> {
  await sql.query('DELETE FROM leaves', [])
  await insertLeaves(sql, leaves)
  // Two steps: while indexes move, two orders would share one.
  await sql.query('UPDATE orders SET leaf_index = NULL WHERE leaf_index IS NOT NULL', [])
  await sql.query(
    `UPDATE orders SET leaf_index = leaves.leaf_index
     FROM leaves WHERE leaves.order_id = orders.id AND orders.status <> 'awaiting_deposit'`,
    [],
  )
}
