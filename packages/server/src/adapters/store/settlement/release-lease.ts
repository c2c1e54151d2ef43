import type { Lease } from '../../../ports/settle-store.ts'
import type { Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

/** Gives a lease back; one that somebody else has taken over stays theirs. */
export async function releaseLease(sql: Sql, { orderId, fence }: Lease): Promise<void> {
  await sql.query(
    `UPDATE orders SET lease_owner = NULL, lease_until = NULL
     WHERE id = decode($1, 'hex') AND lease_fence = $2`,
    [hexOf(orderId), fence.toString()],
  )
}
