import type { Sql } from '../sql.ts'

/** The slot in which a stored leaf was made. @throws Error where there is none at that index. */
export async function readLeafSlot(sql: Sql, index: number): Promise<bigint> {
  const [row] = await sql.query<{ readonly slot: string }>(
    'SELECT slot FROM leaves WHERE leaf_index = $1',
    [index],
  )
  if (row === undefined) throw new Error('the leaf is not stored')
  return BigInt(row.slot)
}
