import type { Lease } from '../../../ports/settle-store.ts'
import type { Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

/** Takes an open order without a live attempt where no lease on it lasts beyond now. */
export async function tryClaim(
  sql: Sql,
  orderId: Uint8Array,
  owner: string,
  nowMs: number,
  untilMs: number,
): Promise<Lease | undefined> {
  const [row] = await sql.query<{ readonly lease_fence: string }>(
    `UPDATE orders
     SET lease_owner = $2, lease_until = $4, lease_fence = lease_fence + 1
     WHERE id = decode($1, 'hex') AND (lease_until IS NULL OR lease_until <= $3)
       AND status IN ('deposited', 'delivering', 'refunding')
       AND NOT EXISTS (SELECT 1 FROM attempts
                       WHERE attempts.order_id = orders.id AND attempts.state = 'live')
     RETURNING lease_fence`,
    [hexOf(orderId), owner, new Date(nowMs), new Date(untilMs)],
  )
  return row === undefined ? undefined : { orderId, fence: BigInt(row.lease_fence) }
}
