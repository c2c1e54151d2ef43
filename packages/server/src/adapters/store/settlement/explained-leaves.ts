import type { ExplainedLeaves } from '../../../ports/upkeep-records.ts'
import type { Database, Sql } from '../sql.ts'

/**
 * Maximum number of kept records. When a step drops leaves, the records that include these leaves are deleted. Then the
 * newest remaining record is valid.
 */
const RECORDS_MAX = 64

interface Row {
  readonly next_leaf: number
  readonly slot: string
  readonly owner_changes: number
}

/**
 * Reads the newest record of explained leaves, see `ExplainedLeaves`. If there is no record, the result has zero
 * leaves.
 */
export async function readExplained(sql: Sql): Promise<ExplainedLeaves> {
  const [row] = await sql.query<Row>(
    `SELECT next_leaf::integer AS next_leaf, slot, owner_changes::integer AS owner_changes
     FROM explained_leaves ORDER BY next_leaf DESC LIMIT 1`,
    [],
  )
  if (row === undefined) return { nextLeaf: 0, slot: 0n, ownerChanges: 0 }
  return { nextLeaf: row.next_leaf, slot: BigInt(row.slot), ownerChanges: row.owner_changes }
}

/**
 * Adds a record. Deletes older records with the same `ownerChanges`, and all records except the newest `RECORDS_MAX`.
 */
export function recordExplained(
  database: Database,
  { nextLeaf, slot, ownerChanges }: ExplainedLeaves,
): Promise<void> {
  return database.transaction(async (sql) => {
    // The record isn't added if leaves have been dropped since the caller counted them, or if a newer record exists.
    const added = await sql.query(
      `INSERT INTO explained_leaves (next_leaf, slot, owner_changes)
       SELECT $1::bigint, $2::bigint, $3::bigint
       WHERE (SELECT COUNT(*) FROM leaves) >= $1::bigint
         AND NOT EXISTS (SELECT 1 FROM explained_leaves WHERE next_leaf > $1::bigint)
       ON CONFLICT (next_leaf) DO NOTHING RETURNING next_leaf`,
      [nextLeaf, slot.toString(), ownerChanges],
    )
    if (added.length === 0) return
    await sql.query(
      `DELETE FROM explained_leaves WHERE next_leaf < $1
         AND (owner_changes = $2 OR next_leaf NOT IN (
           SELECT next_leaf FROM explained_leaves ORDER BY next_leaf DESC LIMIT $3))`,
      [nextLeaf, ownerChanges, RECORDS_MAX],
    )
  })
}

/** Deletes the records that include the leaf at this index. The older records become valid again. */
export async function forgetExplained(sql: Sql, leafIndex: number): Promise<void> {
  await sql.query('DELETE FROM explained_leaves WHERE next_leaf > $1', [leafIndex])
}

/**
 * Lists the leaf indexes of deposits, starting at `from`: deposits of orders, and deposits that an operator has written
 * off. If several leaves equal a written-off deposit, only the first of them is listed.
 */
export async function listDeposits(sql: Sql, from: number): Promise<Set<number>> {
  const rows = await sql.query<{ readonly leaf_index: number }>(
    `SELECT leaf_index::integer AS leaf_index FROM orders WHERE leaf_index >= $1
     UNION SELECT MIN(leaf_index)::integer FROM leaves JOIN written_off USING (leaf)
     GROUP BY leaf HAVING MIN(leaf_index) >= $1`,
    [from],
  )
  return new Set(rows.map(({ leaf_index: index }) => index))
}
