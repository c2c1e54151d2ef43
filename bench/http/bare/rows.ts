import { NATIVE_MINT } from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import { keepEpoch } from '../../../packages/server/src/adapters/keystore/epoch-secrets.ts'
import { systemRandom } from '../../../packages/server/src/adapters/random/system-random.ts'
import { migrate } from '../../../packages/server/src/adapters/store/migrate.ts'
import { openPglite } from '../../../packages/server/src/adapters/store/pglite.ts'
import { openPostgres } from '../../../packages/server/src/adapters/store/postgres.ts'
import type { Database } from '../../../packages/server/src/adapters/store/sql.ts'
import { encodeTerms } from '../../../packages/server/src/domain/order-secrets.ts'
import { decodeQuoteId } from '../../../packages/server/src/domain/quote-id.ts'
import { decodeTrackingId } from '../../../packages/server/src/domain/tracking-id.ts'
import type { Sample } from './sample.ts'

export const ACCOUNT = 'local'

// Inserts an order's row. The columns are those of the product's statement, without `network` and `place`.
const INSERT = `INSERT INTO orders (id, account_id, quote_nonce, idempotency_key, fingerprint, epoch,
    reference, status, source_mint, destination_mint, amount_in, partner_fee, value, amount_out, sender,
    partner_account, deadline, valid_until, expiry, inner_commitment, leaf, payload,
    last_valid_block_height, sealed_terms, sealed_response, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, 'awaiting_deposit', $8, $9, $10, $11, $12, $13, $14, $15, $16,
    $17, $18, $19, $20, $21, $22, $23, $24, $25, $25)`

export interface Row {
  readonly id: Uint8Array
  readonly quoteNonce: Uint8Array
  readonly mint: string
  readonly sender: string
  readonly amountIn: string
  readonly amountOut: string
  readonly sealedTerms: Uint8Array
  readonly sealedResponse: Uint8Array
}

const FINGERPRINT = randomBytes(64)
const INNER = randomBytes(32)
const PAYLOAD = randomBytes(65)
const SECONDS = '1800000000'

/**
 * Inserts a row, as the product does for a new order. The product first also searches for an earlier order of the same
 * quote.
 */
export async function insertRow(database: Database, row: Row): Promise<void> {
  const { id, quoteNonce, mint, sender, amountIn, amountOut, sealedTerms, sealedResponse } = row
  const values = [
    ...[id, ACCOUNT, quoteNonce, null, FINGERPRINT, 500_000, null, mint, mint],
    ...[amountIn, '0', amountIn, amountOut, sender, null, SECONDS, SECONDS, SECONDS],
    ...[INNER, randomBytes(32), PAYLOAD, '300000000', sealedTerms, sealedResponse, new Date()],
  ]
  await database.query(INSERT, values, 'insert')
}

const SECRETS = keepEpoch(500_000, randomBytes(32), systemRandom).secrets
const NO_ORDER = randomBytes(16)

/** Sealed data like that of the product. The product's own code seals it, so it is padded and can't be compressed. */
export function sealedLike(recipient: string, answer: object) {
  const delays = { minDelaySeconds: 10, maxDelaySeconds: 60 }
  const terms = encodeTerms({ recipient: recipient as never, accountExisted: false, ...delays })
  return {
    sealedTerms: SECRETS.seal(NO_ORDER, 'terms', terms),
    sealedResponse: SECRETS.seal(NO_ORDER, 'response', Buffer.from(JSON.stringify(answer))),
  }
}

async function insertAsset(database: Database, mint: string, symbol: string): Promise<void> {
  await database.query(
    `INSERT INTO assets (mint, symbol, name, decimals, kind, service_bps, network_fee_exists,
       network_fee_created, input_max, is_swappable, created_at, updated_at)
     VALUES ($1, $2, $2, 6, 'token', 20, 1, 1, 1, true, now(), now())`,
    [mint, symbol],
  )
}

/** Opens a database, creates the product's schema in it, and inserts the orders of the sample. */
export async function openRows(sample: Sample): Promise<Database> {
  const isUrl = sample.database.startsWith('postgres://')
  const database = isUrl ? openPostgres(sample.database) : await openPglite(sample.database)
  await migrate(database)
  await database.query(
    `INSERT INTO accounts (id, name, fee_bps_max, created_at) VALUES ($1, 'Bare', 0, now())`,
    [ACCOUNT],
  )
  await insertAsset(database, NATIVE_MINT, 'SOL')
  await insertAsset(database, sample.usdc, 'USDC')
  for (const { body, answer } of sample.orders) await insertSample(database, body, answer)
  return database
}

async function insertSample(
  database: Database,
  body: string,
  answer: Sample['orders'][number]['answer'],
): Promise<void> {
  type Sent = { quote: Record<string, string>; senderAddress: string; recipientAddress: string }
  const sent = JSON.parse(body) as Sent
  const id = decodeTrackingId(answer.order.trackingId)
  const quoteId = decodeQuoteId(sent.quote['quoteId'])
  if (id === undefined || quoteId === undefined)
    throw new Error('an order of the sample has an invalid id')
  await insertRow(database, {
    id,
    quoteNonce: quoteId.nonce,
    mint: sent.quote['sourceAssetId'] ?? '',
    sender: sent.senderAddress,
    amountIn: answer.order.amountIn,
    amountOut: answer.order.amountOut,
    ...sealedLike(sent.recipientAddress, answer),
  })
}
