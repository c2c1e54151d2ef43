import { CreateOrderRequest, QuoteRequest, TrackingId } from '@sotto/contract'
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import {
  ORDER_COLUMNS,
  type OrderRow,
} from '../../../packages/server/src/adapters/store/order-row.ts'
import type { Database } from '../../../packages/server/src/adapters/store/sql.ts'
import { decodeQuoteId } from '../../../packages/server/src/domain/quote-id.ts'
import { ACCOUNT, insertRow, sealedLike } from './rows.ts'
import type { Sample } from './sample.ts'

const READ_STATUS = [
  'status',
  `SELECT ${ORDER_COLUMNS} FROM orders o WHERE o.id = $1 AND o.account_id = $2`,
] as const
const READ_REPLAY = [
  'replay',
  `SELECT id, epoch, quote_nonce, idempotency_key, fingerprint, sealed_response
  FROM orders WHERE account_id = $1 AND quote_nonce = $2`,
] as const

type Named = readonly [name: string, text: string]

async function only<Row>(
  database: Database,
  [name, text]: Named,
  parameters: unknown[],
): Promise<Row> {
  const [row] = await database.query<Row>(text, parameters, name)
  if (row === undefined) throw new Error('the baseline lacks a row')
  return row
}

/**
 * Does the minimum that a service on this framework must do for the product's requests. Each request is parsed, and
 * validated with the contract's schemas. If the product executes a statement for the request, this service executes one
 * too. Its answers have the same members as the product's answers.
 */
export function registerBare(app: FastifyInstance, database: Database, sample: Sample): void {
  const [first] = sample.orders
  if (first === undefined) throw new Error('the sample holds no order')
  const { quote } = sample.quote
  const sealed = sealedLike(quote.sourceAssetId, first.answer)

  app.post('/transfer/v1/quote', async (request) => {
    const { sourceAssetId, destinationAssetId } = QuoteRequest.parse(request.body)
    return { ...sample.quote, quote: { ...quote, sourceAssetId, destinationAssetId } }
  })

  app.post('/transfer/v1/order', async (request) => {
    const body = CreateOrderRequest.parse(request.body)
    const { sourceAssetId, amountIn, amountOut } = body.quote as typeof quote
    const [id, quoteNonce] = [randomBytes(16), randomBytes(16)]
    const terms = { mint: sourceAssetId, sender: body.senderAddress, amountIn, amountOut }
    await insertRow(database, { id, quoteNonce, ...terms, ...sealed })
    const trackingId = `tr_${id.toString('base64url')}`
    return { success: true, order: { ...first.answer.order, trackingId } }
  })

  app.post('/replay/transfer/v1/order', async (request) => {
    const { quoteId } = CreateOrderRequest.parse(request.body).quote
    const nonce = decodeQuoteId(quoteId)?.nonce
    await only(database, READ_REPLAY, [ACCOUNT, nonce])
    return first.answer
  })

  app.get<{ Params: { trackingId: string } }>(
    '/transfer/v1/status/:trackingId',
    async (request) => {
      const trackingId = TrackingId.parse(request.params.trackingId)
      const id = Buffer.from(trackingId.slice(3), 'base64url')
      const row = await only<OrderRow>(database, READ_STATUS, [id, ACCOUNT])
      const updatedAt = row.updated_at.toISOString()
      const { status, amount_in: amountIn, amount_out: amountOut } = row
      const order = { ...sample.status.order, trackingId, status, amountIn, amountOut, updatedAt }
      return { success: true, order }
    },
  )
}
