import type { Sql } from '../sql.ts'

/** Gives a lease back; one that somebody else has taken over stays theirs. */
export async function releaseLease(sql: Sql, pseudonym: string, fence: bigint): Promise<void> {
  await sql.query(
    `UPDATE settlements SET lease_owner = NULL, lease_until = NULL
     WHERE pseudonym = decode($1, 'hex') AND lease_fence = $2`,
    [pseudonym, fence.toString()],
  )
}
