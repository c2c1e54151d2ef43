import type { CreateOrderRequest, OrderResponse, QuoteResponse } from '@sotto/contract'
import { decodeTicket } from '@sotto/protocol'
import { ServiceError } from '../../packages/server/src/usecases/service-error.ts'
import type { Client } from './client.ts'
import type { PlacedOrder } from './placed-order.ts'

const PAUSE_MS = 8_000
/**
 * With this many tries, a customer outlasts every fault. If customers gave up earlier, the run would check fewer
 * orders.
 */
const TRIES = 30

/** Error codes after which a customer requests a new quote. */
const NEW_QUOTE = new Set(['QUOTE_EXPIRED', 'AMOUNT_OUT_OF_RANGE', 'PRICE_MOVED', 'NOTE_IN_USE'])
/** Error codes of temporary errors. */
const PASSING = new Set([
  'ORDER_IN_PROGRESS',
  'BALANCE_NOT_FOUND',
  'UPSTREAM_UNAVAILABLE',
  'LIQUIDITY_UNAVAILABLE',
  'PRICE_UNAVAILABLE',
  'SERVICE_PAUSED',
  'RATE_LIMITED',
])

/** Repeats quote and order until the service accepts the order; undefined if the service never accepts it. */
export async function placeOrder(customer: Client): Promise<PlacedOrder | undefined> {
  const { stage, api, random } = customer
  for (let quotes = 0; quotes < TRIES; quotes += 1) {
    const quoted = await attempt(customer, () => api.quote(customer.request), quotes)
    if (quoted === 'again') continue
    if (quoted === 'new_quote' || quoted === 'over') return undefined
    const answer = await orderOf(customer, quoted, `${customer.name}-${quotes}`)
    if (answer === 'over') return undefined
    if (answer !== 'new_quote') return answer
    await stage.timeline.pause(random.below(PAUSE_MS))
  }
  return undefined
}

export type Refusal = 'again' | 'new_quote' | 'over'

async function orderOf(
  customer: Client,
  { quote }: QuoteResponse,
  idempotencyKey: string,
): Promise<PlacedOrder | 'new_quote' | 'over'> {
  const { senderAddress, recipientAddress } = customer.request
  const body = { quote: { ...quote }, senderAddress, recipientAddress, ...extrasOf(customer) }
  const terms: CreateOrderRequest = body
  const send = () => customer.api.order({ body: terms, received: body, idempotencyKey })
  for (let tries = 0; tries < TRIES; tries += 1) {
    const rivals = customer.manner === 'retries' ? [race(send()), race(send())] : []
    const answer = await attempt(customer, send, tries)
    const others = await Promise.all(rivals)
    if (answer === 'again') continue
    if (typeof answer === 'string') return answer
    for (const other of others) assertSame(customer, answer.body, other)
    return readAnswer(customer, answer.body, terms)
  }
  return 'over'
}

/** The fields of the quote's request that the order repeats: the partner's share, and the terms of a balance. */
function extrasOf({ request }: Client): Partial<CreateOrderRequest> {
  const { feeBps, feeRecipientAddress, balanceKey, balanceSeconds, autoReturn } = request
  return {
    ...(feeBps === undefined ? {} : { feeBps, feeRecipientAddress }),
    ...(balanceKey === undefined ? {} : { balanceKey, balanceSeconds, autoReturn }),
  }
}

const race = (answer: Promise<{ body: Uint8Array }>): Promise<Uint8Array | undefined> =>
  answer.then(
    ({ body }) => body,
    () => undefined,
  )

function assertSame(customer: Client, one: Uint8Array, other: Uint8Array | undefined): void {
  if (other === undefined || Buffer.compare(one, other) === 0) return
  customer.stage.watch.fail('one idempotency key gets one answer', customer.name)
}

/** Tries once. After a failure, returns what the caller must do next. Pauses only before it returns `again`. */
export async function attempt<T>(
  customer: Client,
  work: () => Promise<T>,
  tries: number,
): Promise<T | Refusal> {
  const { stage, random, name } = customer
  try {
    return await work()
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : 'failed'
    stage.trace.add(stage.timeline.nowMs, name, `refused ${code}`)
    if (NEW_QUOTE.has(code)) return 'new_quote'
    if (error instanceof ServiceError && !PASSING.has(code)) return 'over'
    // An outage lasts for minutes, so the pauses grow with the number of tries.
    await stage.timeline.pause(random.between(1_000, PAUSE_MS) * (1 + Math.floor(tries / 4)))
    return 'again'
  }
}

function readAnswer({ stage }: Client, body: Uint8Array, terms: CreateOrderRequest): PlacedOrder {
  const { order } = JSON.parse(new TextDecoder().decode(body)) as OrderResponse
  const ticket = decodeTicket(order.recovery)
  const key = Buffer.from(ticket.orderId).toString('hex')
  const { trackingId, transaction } = order
  const answeredAt = stage.chain.newest.unixSeconds
  return { trackingId, key, transaction, note: ticket.note, terms, answeredAt }
}
