import type { OrderStore } from '../../ports/order-store.ts'
import { decodeOrderRow, ORDER_COLUMNS, type OrderRow } from './order-row.ts'
import { decodePayment } from './payments.ts'
import { withSides } from './read-sides.ts'
import type { PseudonymSecrets } from './settlement/pseudonym.ts'
import type { Sql } from './sql.ts'

const QUERY = `SELECT ${ORDER_COLUMNS} FROM orders o
  WHERE o.account_id = $1 AND ($3::timestamptz IS NULL OR (o.created_at, o.id) < ($3, $4))
  ORDER BY o.created_at DESC, o.id DESC LIMIT $2`

/** Lists an account's orders and payments, newest first. */
export const listOrders =
  (sql: Sql, secrets: PseudonymSecrets): OrderStore['listOrders'] =>
  async (accountId, limit, after) => {
    const position = after === undefined ? [null, null] : [new Date(after.createdAtMs), after.id]
    const read = () => sql.query<OrderRow>(QUERY, [accountId, limit, ...position])
    return (await withSides(sql, secrets, read)).map(({ row, side, plan }) =>
      row.leaf === null ? decodePayment(row, side, plan) : decodeOrderRow(row, side, plan),
    )
  }
