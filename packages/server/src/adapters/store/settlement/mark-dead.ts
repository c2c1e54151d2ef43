import type { Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

/**
 * Ends an attempt that program state has proven dead, with the plan for the next one. No lease is needed: nobody
 * can take an order with a live attempt, and only one caller ends it.
 */
export async function tryMarkDead(
  sql: Sql,
  pseudonym: string,
  number: number,
  sealedPlan: Uint8Array | undefined,
): Promise<boolean> {
  const rows = await sql.query(
    `WITH dead AS (
       UPDATE attempts SET state = 'dead'
       WHERE pseudonym = decode($1, 'hex') AND number = $2 AND state = 'live' RETURNING pseudonym
     ), planned AS (
       UPDATE settlements SET sealed_plan = decode($3, 'hex')
       FROM dead WHERE settlements.pseudonym = dead.pseudonym AND $3::text IS NOT NULL
     )
     SELECT 1 FROM dead`,
    [pseudonym, number, sealedPlan === undefined ? null : hexOf(sealedPlan)],
  )
  return rows.length === 1
}
