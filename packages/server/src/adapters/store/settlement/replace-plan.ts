import type { Lease } from '../../../ports/settle-store.ts'
import type { Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

export async function tryReplacePlan(
  sql: Sql,
  { orderId, fence }: Lease,
  sealedPlan: Uint8Array,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE orders SET sealed_plan = decode($3, 'hex')
     WHERE id = decode($1, 'hex') AND lease_fence = $2 RETURNING id`,
    [hexOf(orderId), fence.toString(), hexOf(sealedPlan)],
  )
  return rows.length === 1
}
