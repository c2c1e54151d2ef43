import type { CreateOrderRequest, OrderResponse, QuoteResponse } from '@sotto/contract'
import { decodeTicket } from '@sotto/protocol'
import { ServiceError } from '../../packages/server/src/usecases/service-error.ts'
import type { Customer } from './customer.ts'
import type { PlacedOrder } from './placed-order.ts'

const PAUSE_MS = 8_000
/** Longer than every fault: if a customer gave up earlier, there would be no order to check. */
const TRIES = 60

/** Error codes after which a customer requests a new quote. */
const NEW_QUOTE = new Set(['QUOTE_EXPIRED', 'AMOUNT_OUT_OF_RANGE', 'PRICE_MOVED'])
/** Temporary errors. */
const PASSING = new Set([
  'ORDER_IN_PROGRESS',
  'UPSTREAM_UNAVAILABLE',
  'LIQUIDITY_UNAVAILABLE',
  'PRICE_UNAVAILABLE',
  'SERVICE_PAUSED',
  'RATE_LIMITED',
])

/** Repeats quote and order until the order is accepted; undefined if it never is. */
export async function placeOrder(customer: Customer): Promise<PlacedOrder | undefined> {
  const { stage, api, random } = customer
  for (let quotes = 0; quotes < TRIES; quotes += 1) {
    const quoted = await attempt(customer, () => api.quote(customer.request))
    if (quoted === 'again') continue
    if (quoted === 'new_quote' || quoted === 'over') return undefined
    const answer = await orderOf(customer, quoted, `${customer.name}-${quotes}`)
    if (answer === 'over') return undefined
    if (answer !== 'new_quote') return answer
    await stage.timeline.pause(random.below(PAUSE_MS))
  }
  return undefined
}

type Refusal = 'again' | 'new_quote' | 'over'

async function orderOf(
  customer: Customer,
  { quote }: QuoteResponse,
  idempotencyKey: string,
): Promise<PlacedOrder | 'new_quote' | 'over'> {
  const { senderAddress, recipientAddress, feeBps, feeRecipientAddress } = customer.request
  const partner = feeBps === undefined ? {} : { feeBps, feeRecipientAddress }
  const body = { quote: { ...quote }, senderAddress, recipientAddress, ...partner }
  const terms = body as CreateOrderRequest
  const send = () => customer.api.order({ body: terms, received: body, idempotencyKey })
  for (let tries = 0; tries < TRIES; tries += 1) {
    const rivals = customer.manner === 'retries' ? [race(send()), race(send())] : []
    const answer = await attempt(customer, send)
    const others = await Promise.all(rivals)
    if (answer === 'again') continue
    if (typeof answer === 'string') return answer
    for (const other of others) assertSame(customer, answer.body, other)
    return readAnswer(customer, answer.body, terms)
  }
  return 'over'
}

const race = (answer: Promise<{ body: Uint8Array }>): Promise<Uint8Array | undefined> =>
  answer.then(
    ({ body }) => body,
    () => undefined,
  )

function assertSame(customer: Customer, one: Uint8Array, other: Uint8Array | undefined): void {
  if (other === undefined || Buffer.compare(one, other) === 0) return
  customer.stage.watch.fail('one key, one answer', customer.name)
}

/** Tries once; after a refusal, pauses and returns its meaning. An unexpected answer fails the run. */
async function attempt<T>(customer: Customer, work: () => Promise<T>): Promise<T | Refusal> {
  const { stage, random, name } = customer
  try {
    return await work()
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : 'failed'
    stage.trace.add(stage.timeline.nowMs, name, `refused ${code}`)
    if (NEW_QUOTE.has(code)) return 'new_quote'
    if (error instanceof ServiceError && !PASSING.has(code)) return 'over'
    await stage.timeline.pause(random.between(1_000, PAUSE_MS))
    return 'again'
  }
}

function readAnswer({ stage }: Customer, body: Uint8Array, terms: CreateOrderRequest): PlacedOrder {
  const { order } = JSON.parse(new TextDecoder().decode(body)) as OrderResponse
  const ticket = decodeTicket(order.recovery)
  const key = Buffer.from(ticket.orderId).toString('hex')
  const { trackingId, transaction } = order
  const answeredAt = stage.chain.newest.unixSeconds
  return { trackingId, key, transaction, note: ticket.note, terms, answeredAt }
}
