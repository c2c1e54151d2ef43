import type { Sql } from '../sql.ts'

/** Ends an attempt that program state has proven dead. */
export async function tryMarkDead(sql: Sql, pseudonym: string, number: number): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE attempts SET state = 'dead'
     WHERE pseudonym = decode($1, 'hex') AND number = $2 AND state = 'live' RETURNING number`,
    [pseudonym, number],
  )
  return rows.length === 1
}
