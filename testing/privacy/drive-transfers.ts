import { NATIVE_MINT, orderAddress, type Address } from '@sotto/protocol'
import { generateKeyPairSigner } from '@solana/kit'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Order, Quote, Status } from '../../demo/src/service-api.ts'
import { LOCAL_PROGRAM } from '../../demo/src/stack/services.ts'
import type { Needles } from './needles.ts'
import type { PrivateStage } from './open-private-stage.ts'
import type { Partner } from './partner.ts'

const LAMPORTS = 30_000_000_000n
const POLL_MS = 400
const PATIENCE_MS = 120_000
/**
 * This time is longer than the sum of ten minutes to the deadline, one step of the time grid, and the delivery window
 * of an hour.
 */
const PAST_EXPIRY_SECONDS = 5_400

export interface Driven {
  readonly stage: PrivateStage
  readonly partner: Partner
  readonly needles: Needles
}

const amounts = { next: 1_234_567_000n }

/** Returns an amount that no other order has, with enough digits to search for. */
function drawAmount(): string {
  amounts.next += 12_345_679n
  return String(amounts.next)
}

/** Quotes and orders a send between two new wallets. Every value that identifies the order becomes a needle. */
export async function placeOrder({ stage, partner, needles }: Driven, more: object = {}) {
  const [sender, recipient] = [await generateKeyPairSigner(), await generateKeyPairSigner()]
  await stage.treasury.fund(sender.address, LAMPORTS)
  const [amount, key, reference] = [drawAmount(), randomUUID(), `payroll-${randomUUID()}`]
  needles.address('a sender', sender.address).address('a recipient', recipient.address)
  needles.amount('an amount', amount).text('a key of a request', key).text('a reference', reference)
  const parties = { senderAddress: sender.address, recipientAddress: recipient.address }
  const assets = { sourceAssetId: NATIVE_MINT, destinationAssetId: NATIVE_MINT }
  const request = { amount, ...assets, ...parties, ...more }
  const { quote } = await partner.ask<{ quote: Quote }>('POST', '/quote', request)
  needles.text('a quote', quote.quoteId).amount('an amount paid', quote.amountOut)
  const body = { quote, ...parties, reference }
  const headers = { 'x-idempotency-key': key }
  const place = () => partner.ask<{ order: Order }>('POST', '/order', body, headers)
  const { order } = await place()
  await place()
  const id = new Uint8Array(Buffer.from(order.trackingId.slice(3), 'base64url'))
  const account = await orderAddress(LOCAL_PROGRAM as Address, id)
  stage.orders.push({ sender: sender.address, recipient: recipient.address, order: account })
  needles.text('an order', order.trackingId).text('a ticket', order.recovery)
  needles.text('a transaction', order.transaction)
  return { sender, quote, order, body, headers, parties }
}

type Placed = Awaited<ReturnType<typeof placeOrder>>

/** Pays for an order with a refreshed transaction, and informs the service of the signature. */
export async function payFor({ stage, partner, needles }: Driven, { sender, order }: Placed) {
  const path = `/order/${order.trackingId}/refresh`
  const { order: fresh } = await partner.ask<{ order: Order }>('POST', path, {})
  const { wire, signature } = await stage.chain.sign(fresh.transaction, sender)
  needles.text('a deposit', signature)
  await stage.chain.submit(wire)
  await stage.chain.confirm(signature)
  await partner.ask('POST', '/deposit', { trackingId: order.trackingId, signature })
}

/** Polls until an order's status is final. */
export async function awaitEnd({ partner, needles }: Driven, { order }: Placed): Promise<Status> {
  for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
    const path = `/status/${order.trackingId}`
    const { order: status } = await partner.ask<{ order: Status }>('GET', path)
    if (status.final) {
      const settled = status.delivery ?? status.refund
      if (settled !== null) needles.text('a settlement', settled.signature)
      return status
    }
    await sleep(POLL_MS)
  }
  throw new Error('an order did not end')
}

/** Makes a delivery and observes it through every interface, while the node fails for some requests. */
export async function driveDelivery(driven: Driven): Promise<string> {
  const { stage, partner, needles } = driven
  const secretPath = `/hook-${randomUUID()}`
  const url = `http://127.0.0.1:${stage.endpoint.port}${secretPath}`
  const made = await partner.ask<{ secret: string; webhook: { webhookId: string } }>(
    'POST',
    '/webhooks',
    { url },
  )
  const { webhookId } = made.webhook
  needles.text('an endpoint', secretPath.slice(1)).text('a signing secret', made.secret.slice(6))
  needles.text('the id of an endpoint', webhookId)
  await partner.ask('POST', `/webhooks/${webhookId}/test`, {})
  const placed = await placeOrder(driven)
  const streamed = partner.stream(`/status/${placed.order.trackingId}/events`)
  stage.proxy.setPercent(10)
  await payFor(driven, placed)
  const { status } = await awaitEnd(driven, placed)
  stage.proxy.setPercent(0)
  await streamed
  for (const path of ['/tokens', '/orders', '/webhooks', `/webhooks/${webhookId}/deliveries`]) {
    await partner.ask('GET', path)
  }
  return status
}

/** Makes a transfer, and advances the time past its expiry, so that the transfer can only be refunded. */
export async function driveRefund(driven: Driven): Promise<string> {
  const placed = await placeOrder(driven, { minDelaySeconds: 3_500, maxDelaySeconds: 3_600 })
  await payFor(driven, placed)
  await driven.stage.advance(PAST_EXPIRY_SECONDS)
  return (await awaitEnd(driven, placed)).status
}
