import type { Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

/** Puts another plan over the one that the order was deposited with. */
export async function tryReplacePlan(
  sql: Sql,
  pseudonym: string,
  fence: bigint,
  sealedPlan: Uint8Array,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE settlements SET sealed_plan = decode($3, 'hex')
     WHERE pseudonym = decode($1, 'hex') AND lease_fence = $2 RETURNING lease_fence`,
    [pseudonym, fence.toString(), hexOf(sealedPlan)],
  )
  return rows.length === 1
}
