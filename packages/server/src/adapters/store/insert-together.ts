import { hexOf } from '../../domain/hex.ts'
import { gather } from '../../running/gather.ts'
import { bytesOf } from './column-values.ts'
import { insertAtAnyPlace, INTO, rowOf } from './insert-order.ts'
import type { Sql } from './sql.ts'

/** An order to insert: the values of `rowOf`, and the number of unpaid orders that its account may have. */
export interface RowToInsert {
  readonly id: Uint8Array
  readonly quoteNonce: Uint8Array
  readonly values: readonly unknown[]
  readonly ordersMax: number
}

/**
 * - `inserted`: the order is stored.
 * - `left_out`: another order has its random place or its quote.
 * - `untried`: the database refused the statement, or another request was inserting an order with the same quote.
 */
type Attempt = 'inserted' | 'left_out' | 'untried'

/** Maximum number of rows in one statement. */
const ROWS_MAX = 16
/** A statement has room for either `FEW_ROWS` or `ROWS_MAX` rows. So each connection keeps only two plans. */
const FEW_ROWS = 4

/**
 * The types of the values of a row, and of `ordersMax`. In a list of rows, the database doesn't derive the types of
 * parameters from the columns.
 */
const TYPES = [
  ...['bytea', 'text', 'bytea', 'text', 'bytea', 'bigint', 'text', 'text', 'text'],
  ...['numeric', 'numeric', 'numeric', 'numeric', 'text', 'text', 'bigint', 'bigint', 'bigint'],
  ...['bytea', 'bytea', 'bytea', 'bigint', 'bytea', 'bytea', 'timestamptz', 'bytea', 'integer'],
]

/**
 * Inserts up to `rows` rows. Each row takes a random place among the places that its account has for unpaid orders.
 * Unused rows are null. A row that conflicts with another order, by its quote or its place, is left out. The other rows
 * are still inserted.
 */
function statementFor(rows: number): string {
  const parameters = (row: number) =>
    TYPES.map((type, column) => `$${row * TYPES.length + column + 1}::${type}`).join(', ')
  const given = Array.from({ length: rows }, (_, row) => `(${parameters(row)})`).join(', ')
  const columns = TYPES.map((_, column) => `v${column + 1}`).join(', ')
  const row = rowOf('awaiting_deposit', (value) => `v${value}`)
  return `${INTO} SELECT ${row}, place FROM (
      SELECT *, floor(random() * v${TYPES.length})::integer AS place
      FROM (VALUES ${given}) AS given (${columns}) WHERE v1 IS NOT NULL) AS placed
    ORDER BY v2, v26, place ON CONFLICT DO NOTHING RETURNING id`
}

const FEW = statementFor(FEW_ROWS)
const MANY = statementFor(ROWS_MAX)

/**
 * Returns a function that inserts an order without an idempotency key at a random place. If the result isn't
 * `inserted`, the caller inserts the order alone, to learn the reason.
 *
 * While a few statements are in progress, the next orders wait and share one statement: see `gather`. Two statements
 * could wait for each other's rows. To prevent such a deadlock, each statement inserts its rows sorted by place. A row
 * is inserted alone if another row with the same quote is being inserted. Rows can't be sorted both by place and by
 * idempotency key, so an order with such a key never shares a statement.
 *
 * One deadlock is still possible: two processes insert rows at the same time and have two or more quotes in common.
 * After a second, the database ends one of the two statements, and its orders are inserted alone.
 *
 * @throws an error with the code of a unique violation if the order was inserted alone and another order has its quote.
 */
export function insertTogether(sql: Sql): (row: RowToInsert) => Promise<Attempt> {
  const insert = async (rows: readonly RowToInsert[]): Promise<Attempt[]> => {
    const [first] = rows
    if (first !== undefined && rows.length === 1) {
      const values = [...first.values, first.ordersMax]
      return [verdict(await insertAtAnyPlace(sql, 'awaiting_deposit', values))]
    }
    const [room, statement, name] =
      rows.length <= FEW_ROWS
        ? ([FEW_ROWS, FEW, 'create-few'] as const)
        : ([ROWS_MAX, MANY, 'create-many'] as const)
    const unused = Array.from({ length: (room - rows.length) * TYPES.length }, () => null)
    const used = rows.flatMap(({ values, ordersMax }) => [...values, ordersMax])
    try {
      const inserted = await sql.query<{ id: Uint8Array }>(statement, [...used, ...unused], name)
      const ids = new Set(inserted.map(({ id }) => hexOf(bytesOf(id))))
      return rows.map(({ id }) => verdict(ids.has(hexOf(id))))
    } catch (error) {
      if (!isRefused(error)) throw error
      return rows.map(() => 'untried')
    }
  }
  const share = gather(insert, ROWS_MAX)
  const quotes = new Set<string>()
  return async (row) => {
    const quote = hexOf(row.quoteNonce)
    if (quotes.has(quote)) return 'untried'
    quotes.add(quote)
    try {
      return await share(row)
    } finally {
      quotes.delete(quote)
    }
  }
}

const verdict = (isInserted: boolean): Attempt => (isInserted ? 'inserted' : 'left_out')

/**
 * True if the database refused a statement. Then it stored nothing of the statement. Returns false if it is unknown
 * whether the database stored the rows: after a lost connection (class 08), a shutdown (57P), or code 40003. An error
 * without a code of the database gives false too.
 */
const isRefused = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(?!08|57P|40003)[0-9][0-9A-Z]{4}$/.test(String(error.code))
