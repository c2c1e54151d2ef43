import type { OrderStore, ReplayRecord } from '../../ports/order-store.ts'
import { bytesOf } from './column-values.ts'
import { GIVEN, gatherRows } from './gather-rows.ts'
import { epochOf } from './order-row.ts'
import type { Sql } from './sql.ts'

interface Row {
  readonly id: Uint8Array
  readonly epoch: string
  readonly quote_nonce: Uint8Array
  readonly idempotency_key: string | null
  readonly fingerprint: Uint8Array
  readonly sealed_response: Uint8Array
}

const decode = (row: Row): ReplayRecord => ({
  id: bytesOf(row.id),
  epoch: epochOf(row.epoch),
  quoteNonce: bytesOf(row.quote_nonce),
  idempotencyKey: row.idempotency_key ?? undefined,
  fingerprint: bytesOf(row.fingerprint),
  sealedResponse: bytesOf(row.sealed_response),
})

const COLUMNS = 'id, epoch, quote_nonce, idempotency_key, fingerprint, sealed_response'

// A query plan that was made while the table was new might use the account's index and read all orders of the account.
// Connections keep their plans for a long time. `IS NOT DISTINCT FROM` prevents the use of this index. `LIMIT` makes
// the database search for each quote separately. A quote has at most one order.
const BY_QUOTE = `SELECT given.place, o.* FROM ${GIVEN}
  CROSS JOIN LATERAL (
    SELECT ${COLUMNS} FROM orders
    WHERE quote_nonce = decode(given.searched, 'hex')
      AND account_id IS NOT DISTINCT FROM given.account_id LIMIT 1) AS o`

// `UNION ALL` is enough, because the second part excludes the rows of the first part.
const BY_QUOTE_OR_KEY = `SELECT ${COLUMNS}
  FROM orders WHERE quote_nonce = $2 AND account_id IS NOT DISTINCT FROM $1
  UNION ALL
  SELECT ${COLUMNS}
  FROM orders WHERE idempotency_key = $3 AND account_id IS NOT DISTINCT FROM $1
    AND quote_nonce <> $2`

/**
 * Finds the account's orders with this quote or this key. Requests without a key share one statement if they wait at
 * the same time. Nearly all requests have no key.
 */
export function findReplays(sql: Sql): OrderStore['findReplays'] {
  const findByQuote = gatherRows<Row>(sql, BY_QUOTE, 'find-by-quote')
  return async (accountId, quoteNonce, idempotencyKey) => {
    const rows =
      idempotencyKey === undefined
        ? await findByQuote(accountId, quoteNonce)
        : await sql.query<Row>(
            BY_QUOTE_OR_KEY,
            [accountId, quoteNonce, idempotencyKey],
            'find-by-quote-or-key',
          )
    return rows.map(decode)
  }
}
