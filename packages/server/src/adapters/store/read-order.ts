import { unixSeconds } from '@sotto/protocol'
import type { OrderStore } from '../../ports/order-store.ts'
import { GIVEN, gatherRows } from './gather-rows.ts'
import { decodeOrderRow, ORDER_COLUMNS, type OrderRow } from './order-row.ts'
import { withSides } from './read-sides.ts'
import type { PseudonymSecrets } from './settlement/pseudonym.ts'
import type { Sql } from './sql.ts'

interface Row extends OrderRow {
  readonly followed_height: string | null
  readonly followed_seconds: string | null
}

// `IS NOT DISTINCT FROM` prevents the database from using the account's index. `LIMIT` makes it search for each order
// separately. `find-replays.ts` explains why.
const QUERY = `SELECT given.place, ${ORDER_COLUMNS}, c.block_height AS followed_height,
    c.unix_seconds AS followed_seconds
  FROM ${GIVEN}
  CROSS JOIN LATERAL (
    SELECT * FROM orders
    WHERE id = decode(given.searched, 'hex')
      AND account_id IS NOT DISTINCT FROM given.account_id AND leaf IS NOT NULL LIMIT 1) AS o
  LEFT JOIN chain_cursor c ON true`

/**
 * Reads an order. The statement itself compares the account. So a request for another account's order takes as long as
 * a request for a missing order. Requests that wait at the same time share a statement.
 */
export function readOrder(sql: Sql, secrets: PseudonymSecrets): OrderStore['readOrder'] {
  const readRow = gatherRows<Row>(sql, QUERY, 'read-order')
  return async (accountId, orderId) => {
    const [found] = await withSides(sql, secrets, () => readRow(accountId, orderId))
    if (found === undefined) return undefined
    const { row, side, plan } = found
    const { followed_height: height, followed_seconds: seconds } = row
    const followed =
      height === null || seconds === null
        ? undefined
        : { blockHeight: BigInt(height), unixSeconds: unixSeconds(BigInt(seconds)) }
    return { order: decodeOrderRow(row, side, plan), followed }
  }
}
