import type { PaymentOrderResponse, QuoteRequest, QuoteResponse } from '@sotto/contract'
import { parseWhole } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { differingShape } from '../../../../testing/openapi/differing-shape.ts'
import {
  fetchDocument,
  type DocumentedOperation,
} from '../../../../testing/openapi/read-document.ts'
import { until } from '../../../../testing/patience/until.ts'
import { newEvent, writeEvents } from '../../src/adapters/store/outbox/new-event.ts'
import { sqlOutboxStore } from '../../src/adapters/store/outbox/outbox-store.ts'
import { eventIdOf } from '../../src/domain/order-event.ts'
import { decodeTrackingId } from '../../src/domain/tracking-id.ts'
import { startReceiver, type Receiver } from '../webhooks/receiver.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { ownBalance, signatureOf, ticketOf, type OwnBalance } from './balance-client.ts'

type Body = Record<string, unknown>

/**
 * Maps values in the examples to the real values that replace them. For example, the tracking id of a real order
 * replaces the example's tracking id, and the URL of the test's receiver replaces the example's endpoint.
 */
const REAL = new Map<string, unknown>()

let stack: HttpStack
let receiver: Receiver
let operations: readonly DocumentedOperation[]
beforeAll(async () => {
  stack = await startHttpStack()
  operations = (await fetchDocument(stack.baseUrl)).operations
  const { feeRecipientAddress, sourceAssetId } = operation('quoteTransfer').requests[
    'exactOut'
  ] as Record<string, string>
  // As in a real set-up, the operator registers the wallet, and the partner creates the wallet's token account.
  const words = ['fee-recipient', 'add', '--account', 'acme', '--address', feeRecipientAddress!]
  await stack.operate(...words)
  await stack.localnet.local('localnet_mintTokens', [feeRecipientAddress, stack.usdc, '1'])
  REAL.set(sourceAssetId!, stack.usdc)
  receiver = await startReceiver()
  const endpoint = operation('createWebhook').requests['send'] as { url: string }
  REAL.set(endpoint.url, receiver.url)
  await untilPartnerIsPayable()
})
afterAll(async () => {
  await stack.close()
  await receiver.close()
})

/**
 * Waits until the service finds the new account when it makes a quote. The account exists immediately, but for quotes,
 * the service reads accounts with the commitment `confirmed`. The new account reaches this commitment some slots later.
 */
async function untilPartnerIsPayable(): Promise<void> {
  const headers = { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' }
  const { path, requests } = operation('quoteTransfer')
  const body = JSON.stringify(real(requests['exactOut']))
  await until(async () => {
    const response = await fetch(stack.baseUrl + path, { method: 'POST', headers, body })
    return ((await response.json()) as Body)['code'] !== 'FEE_RECIPIENT_NOT_PAYABLE'
  }, "the partner's account did not appear")
}

function operation(id: string): DocumentedOperation {
  return operations.find((one) => one.id === id)!
}

/** Replaces the values of an example that `REAL` contains, such as its quote, with the real values. */
function real(value: unknown): unknown {
  if (typeof value === 'string') return REAL.get(value) ?? value
  if (typeof value !== 'object' || value === null) return value
  const quoteId = (value as Body)['quoteId']
  if (REAL.has(quoteId as string)) return REAL.get(quoteId as string)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, real(one)]))
}

/** Sends an example with the real values, and checks the response against the schema and the example's shape. */
async function run(id: string, name: string): Promise<Body> {
  const { method, path, parameters, requests, answers } = operation(id)
  const url = new URL(stack.baseUrl)
  const headers: Record<string, string> = { authorization: `Bearer ${stack.apiKey}` }
  let pathname = path
  for (const { name: parameter, in: place, example } of parameters) {
    if (example === undefined) continue
    const value = real(example) as string
    if (place === 'path') pathname = pathname.replace(`{${parameter}}`, value)
    if (place === 'query') url.searchParams.set(parameter, value)
    // An idempotency key belongs to one order, so each example gets its own key.
    if (place === 'header') headers[parameter] = `${value}-${name}`
  }
  url.pathname = pathname
  const example = requests[name]
  if (example !== undefined) headers['content-type'] = 'application/json'
  const body = example === undefined ? null : JSON.stringify(real(example))
  const response = await fetch(url, { method, headers, body })
  const answer = (await response.json()) as Body
  expect([response.status, answer['code']]).toEqual([200, undefined])
  const { validate, examples, requiredHeaders } = answers.get(200)!
  expect([validate(answer), validate.errors]).toEqual([true, null])
  expect(differingShape(examples[name], answer)).toEqual([])
  for (const header of requiredHeaders) expect(response.headers.has(header)).toBe(true)
  return answer
}

const shown = (id: string, name: string) => operation(id).answers.get(200)!.examples[name] as never

/** The examples in the order in which a partner would send them. Later examples need values from earlier responses. */
const RUNS: readonly (readonly [
  string,
  string,
  (((answer: never) => void) | undefined)?,
  (() => Promise<void>)?,
])[] = [
  ['listTokens', 'default'],
  ...['send', 'exactOut', 'swap'].map((name) => {
    type Quoted = { quote: { quoteId: string } }
    const keep = (answer: Quoted) =>
      REAL.set((shown('quoteTransfer', name) as Quoted).quote.quoteId, answer.quote)
    return ['quoteTransfer', name, keep] as const
  }),
  // The documented list has only one order, the send. The send is ordered last, so it is the newest order in the list.
  ...['exactOut', 'send'].map((name) => {
    type Ordered = { order: { trackingId: string } }
    const keep = (answer: Ordered) =>
      REAL.set((shown('createOrder', name) as Ordered).order.trackingId, answer.order.trackingId)
    return ['createOrder', name, keep] as const
  }),
  ['refreshTransaction', 'send'],
  ['hintDeposit', 'send'],
  ['readStatus', 'default'],
  ['listOrders', 'default'],
  ['listLeaves', 'default', undefined, appendLeaves],
  ['quoteTransfer', 'payment', keepPaymentQuote, openBalance],
  ['createPayment', 'send', keepPayment],
  ['signPayment', 'send'],
  [
    'createWebhook',
    'send',
    ({ webhook }: { webhook: { webhookId: string } }) =>
      REAL.set(operation('testWebhook').parameters[0]!.example!, webhook.webhookId),
  ],
  ['testWebhook', 'send'],
  ['listWebhooks', 'default'],
  ['enableWebhook', 'send'],
  ['rotateWebhook', 'send'],
  // `tellOnce` first records the delivery that the list shows.
  ['listDeliveries', 'default', undefined, tellOnce],
  ['replayDelivery', 'send'],
  ['deleteWebhook', 'send'],
]

let opened: OwnBalance

/** Replaces the example's balance with a new balance. The service has recorded the new balance's leaf. */
async function openBalance(): Promise<void> {
  opened = await ownBalance(stack)
  const example = operation('quoteTransfer').requests['payment'] as QuoteRequest
  REAL.set(example.balance!, ticketOf(opened))
  REAL.set(example.senderAddress, opened.note.sender)
}

function keepPaymentQuote(answer: QuoteResponse): void {
  REAL.set((shown('quoteTransfer', 'payment') as QuoteResponse).quote.quoteId, answer.quote)
}

/** Stores the payment's id, and replaces the example's signature with the owner's signature. */
function keepPayment({ order: { trackingId, payment } }: PaymentOrderResponse): void {
  const example = operation('signPayment')
  const { changeNk, signature } = example.requests['send'] as ReturnType<typeof signatureOf>
  const own = signatureOf(stack, opened, payment)
  REAL.set(example.parameters[0]!.example!, trackingId)
  REAL.set(changeNk, own.changeNk)
  for (const name of ['S', 'R8x', 'R8y'] as const) REAL.set(signature[name], own.signature[name])
}

/** Stores the leaves 1,024 and 1,025, which follow a full page, as a worker that follows the tree does. */
async function appendLeaves(): Promise<void> {
  const leaf = "decode(repeat('17', 32), 'hex')"
  await stack.database.query(`INSERT INTO leaves VALUES (1024, ${leaf}), (1025, ${leaf})`, [])
}

/** Records that a message about the example's order was delivered to the example's endpoint, as a worker does. */
async function tellOnce(): Promise<void> {
  const { database, secrets } = stack
  const example = operation('replayDelivery').parameters.find(({ name }) => name === 'deliveryId')!
  const trackingId = real(shownOrder()) as string
  const orderId = decodeTrackingId(trackingId)!
  const [row] = await database.query<{ epoch: string }>('SELECT epoch FROM orders WHERE id = $1', [
    orderId,
  ])
  const key = (await secrets.read(parseWhole(row!.epoch)))!
  const order = { orderId, accountId: 'acme', reference: undefined, hasWebhooks: true, key }
  await database.query(
    `INSERT INTO chain_cursor (program, domain, slot, block_height, unix_seconds, next_leaf, updated_at)
     VALUES ('x', '', 0, 0, extract(epoch FROM now())::bigint, 0, now())`,
    [],
  )
  await writeEvents(database, [newEvent(order, 'deposited', Date.now())])
  const outbox = sqlOutboxStore(database, secrets)
  const [look] = await outbox.claimDue(Date.now(), 1)
  const webhookId = real(operation('testWebhook').parameters[0]!.example) as string
  const sent = { webhookId, state: 'delivered', attempts: 1 } as const
  await outbox.keep([{ ...look!, sends: [{ ...sent, lastAtMs: Date.now(), lastStatus: 204 }] }])
  REAL.set(example.example!, eventIdOf({ orderId, status: 'deposited' }))
}

const shownOrder = () =>
  (shown('createOrder', 'send') as { order: { trackingId: string } }).order.trackingId

it('every request of the document gets the documented answer', async () => {
  for (const [id, name, keep, before] of RUNS) {
    await before?.()
    const answer = await run(id, name)
    keep?.(answer as never)
  }
})

it('every request of the document is covered', () => {
  const all = operations.flatMap(({ id, requests }) => {
    const names = Object.keys(requests)
    return (names.length === 0 ? ['default'] : names).map((name) => `${id} ${name}`)
  })
  expect(RUNS.map(([id, name]) => `${id} ${name}`).sort()).toEqual(all.sort())
})
