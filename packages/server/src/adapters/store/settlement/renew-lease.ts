import type { Sql } from '../sql.ts'

/** Holds a lease for longer; false where its fence is no longer the newest. */
export async function tryRenewLease(
  sql: Sql,
  pseudonym: string,
  fence: bigint,
  untilMs: number,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE settlements SET lease_until = $3
     WHERE pseudonym = decode($1, 'hex') AND lease_fence = $2 AND lease_owner IS NOT NULL
     RETURNING lease_fence`,
    [pseudonym, fence.toString(), new Date(untilMs)],
  )
  return rows.length === 1
}
