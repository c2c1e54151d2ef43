import type { Sql } from '../sql.ts'

/** True where a leaf belongs to no order of this database and nobody has written it off. */
export async function hasStrangeLeaf(sql: Sql): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM leaves
     WHERE NOT EXISTS (SELECT 1 FROM orders WHERE orders.id = leaves.order_id)
       AND NOT EXISTS (SELECT 1 FROM written_off WHERE written_off.order_id = leaves.order_id) LIMIT 1`,
    [],
  )
  return rows.length > 0
}
