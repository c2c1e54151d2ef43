import { unixSeconds } from '@sotto/protocol'
import type { OrderStore } from '../../ports/order-store.ts'
import { decodeOrderRow, ORDER_COLUMNS, type OrderRow } from './order-row.ts'
import { withSides } from './read-sides.ts'
import type { PseudonymSecrets } from './settlement/pseudonym.ts'
import type { Sql } from './sql.ts'

interface Row extends OrderRow {
  readonly followed_height: string | null
  readonly followed_seconds: string | null
}

// The account is compared in a form for which no index can be used, as in `find-replays.ts`.
const QUERY = `SELECT ${ORDER_COLUMNS}, c.block_height AS followed_height,
    c.unix_seconds AS followed_seconds
  FROM orders o LEFT JOIN chain_cursor c ON true
  WHERE o.id = $1 AND o.account_id IS NOT DISTINCT FROM $2 AND o.leaf IS NOT NULL`

/**
 * Reads an order. The statement itself compares the account, so that another account's order takes as long as a
 * nonexistent one.
 */
export const readOrder =
  (sql: Sql, secrets: PseudonymSecrets): OrderStore['readOrder'] =>
  async (accountId, orderId) => {
    const read = () => sql.query<Row>(QUERY, [orderId, accountId], 'read-order')
    const [found] = await withSides(sql, secrets, read)
    if (found === undefined) return undefined
    const { row, side } = found
    const { followed_height: height, followed_seconds: seconds } = row
    const followed =
      height === null || seconds === null
        ? undefined
        : { blockHeight: BigInt(height), unixSeconds: unixSeconds(BigInt(seconds)) }
    return { order: decodeOrderRow(row, side), followed }
  }
