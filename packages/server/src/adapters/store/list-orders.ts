import type { OrderStore } from '../../ports/order-store.ts'
import { decodeOrderRow, ORDER_COLUMNS, type OrderRow } from './order-row.ts'
import { readSides } from './read-sides.ts'
import type { PseudonymSecrets } from './settlement/pseudonym.ts'
import type { Sql } from './sql.ts'

const QUERY = `SELECT ${ORDER_COLUMNS} FROM orders o
  WHERE o.account_id = $1 AND ($3::timestamptz IS NULL OR (o.created_at, o.id) < ($3, $4))
  ORDER BY o.created_at DESC, o.id DESC LIMIT $2`

/** An account's orders, newest first. */
export const listOrders =
  (sql: Sql, secrets: PseudonymSecrets): OrderStore['listOrders'] =>
  async (accountId, limit, after) => {
    const position = after === undefined ? [null, null] : [new Date(after.createdAtMs), after.id]
    const rows = await sql.query<OrderRow>(QUERY, [accountId, limit, ...position])
    const sides = await readSides(sql, secrets, rows)
    return rows.map((row, index) => decodeOrderRow(row, sides[index]))
  }
