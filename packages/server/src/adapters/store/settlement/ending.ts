import { type UnixSeconds, unixSeconds } from '@sotto/protocol'
import { BALANCE_SECONDS_MIN, NOTICE_SECONDS } from '../../../domain/balance.ts'
import type { EndingOrder } from '../../../ports/upkeep-records.ts'
import { bytesOf } from '../column-values.ts'
import type { Sql } from '../sql.ts'

/**
 * Lists the orders of balances whose first end is near or past. The first end is the expiry of the top-up's note. A
 * balance's order is recognised by the time from its deadline to its expiry. An order's own row stays `deposited` until
 * its epoch is cleared, so ended balances are included.
 */
export async function listEnding(sql: Sql, clock: UnixSeconds): Promise<EndingOrder[]> {
  const rows = await sql.query<{
    readonly id: Uint8Array
    readonly deadline: string
    readonly expiry: string
  }>(
    `SELECT id, deadline, expiry FROM orders
     WHERE status = 'deposited' AND leaf_index IS NOT NULL AND expiry - deadline >= $2
       AND expiry - LEAST($3, (expiry - deadline) / 2) <= $1`,
    [clock.toString(), BALANCE_SECONDS_MIN, NOTICE_SECONDS],
  )
  return rows.map(({ id, deadline, expiry }) => ({
    orderId: bytesOf(id),
    deadline: unixSeconds(BigInt(deadline)),
    expiry: unixSeconds(BigInt(expiry)),
  }))
}
