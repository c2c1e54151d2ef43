import type { OrderStore, ReplayRecord } from '../../ports/order-store.ts'
import { epochOf } from './order-row.ts'
import { bytesOf } from './column-values.ts'
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

// The account is compared in a form that keeps the database from using the account's index. Otherwise, a plan made
// while the table is new might read all orders of the account, and connections keep their plans for a long time.
const BY_QUOTE = `SELECT id, epoch, quote_nonce, idempotency_key, fingerprint, sealed_response
  FROM orders WHERE quote_nonce = $2 AND account_id IS NOT DISTINCT FROM $1`

// `UNION ALL` suffices without a comparison of rows, because the second part excludes the rows of the first.
const BY_QUOTE_OR_KEY = `${BY_QUOTE}
  UNION ALL
  SELECT id, epoch, quote_nonce, idempotency_key, fingerprint, sealed_response
  FROM orders WHERE idempotency_key = $3 AND account_id IS NOT DISTINCT FROM $1
    AND quote_nonce <> $2`

/** Orders of the account with this quote or this key. */
export const findReplays =
  (sql: Sql): OrderStore['findReplays'] =>
  async (accountId, quoteNonce, idempotencyKey) => {
    const rows =
      idempotencyKey === undefined
        ? await sql.query<Row>(BY_QUOTE, [accountId, quoteNonce], 'find-by-quote')
        : await sql.query<Row>(
            BY_QUOTE_OR_KEY,
            [accountId, quoteNonce, idempotencyKey],
            'find-by-quote-or-key',
          )
    return rows.map(decode)
  }
