import type { CreatePaymentRequest, PaymentOrder } from '@sotto/contract'
import {
  encodeTicket,
  nullifierOf,
  parseAmount,
  type Address,
  type Amount,
  type Poseidon,
  type Ticket,
  type UnixSeconds,
} from '@sotto/protocol'
import { epochAt } from '../../domain/epoch.ts'
import { encodePayment, type PaymentTerms } from '../../domain/payment-terms.ts'
import { encodeTrackingId } from '../../domain/tracking-id.ts'
import type { Chain } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LeafPages } from '../../ports/leaf-pages.ts'
import type { CreatePaymentOutcome, OrderStore } from '../../ports/order-store.ts'
import type { Random } from '../../ports/random.ts'
import type { Screener } from '../../ports/screener.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { askUpstream } from '../ask-upstream.ts'
import { assertAddress } from '../assert-address.ts'
import { isoOfSeconds } from '../iso-time.ts'
import { assertOpen, type MarketAsset, type MarketView } from '../market/market.ts'
import { storedFingerprint } from '../order/fingerprint.ts'
import {
  orderOnce,
  type OnceDependencies,
  type OrderAnswer,
  type OrderRequest,
} from '../order/order-once.ts'
import { networkName, orderRoom, refusalOf } from '../order/order-room.ts'
import { askerOf, screenParties } from '../quote/screen-parties.ts'
import { assertUnexpired, type VerifiedQuote } from '../quote/verify-quote.ts'
import { ServiceError } from '../service-error.ts'
import { renderTerms } from '../status/render-payment.ts'
import { assetOf, findNote, ticketOf } from './find-note.ts'
import { CLOCK_AGE_MAX_MS, paymentEnd } from './payment-end.ts'
import { IN_USE_SECONDS_MIN, noteInUse, reservedNames } from './reserved-names.ts'
import { isSpentNote } from './spent-note.ts'

export interface PaymentDependencies extends OnceDependencies {
  readonly chain: Chain
  readonly clock: Clock
  readonly leaves: Pick<LeafPages, 'find'>
  readonly market: MarketView
  readonly orders: OrderStore
  readonly poseidon: Poseidon
  readonly random: Random
  readonly screener: Screener
  readonly secrets: Secrets
  readonly accountSharePercent: number
}

export type PaymentOrderRequest = OrderRequest<CreatePaymentRequest>

const ORDER_ID_BYTES = 16

/**
 * Creates the order of a payment out of a balance from its quote, and reserves the note. A retry returns the same
 * order. The response contains the terms that the owner must sign.
 *
 * @throws ServiceError INVALID_REQUEST if the quote is for a transfer; BALANCE_NOT_FOUND, BALANCE_ENDED, NOTE_IN_USE,
 * and the errors of `orderOnce`.
 */
export async function createPayment(
  d: PaymentDependencies,
  request: PaymentOrderRequest,
): Promise<OrderAnswer> {
  const { account, body } = request
  const { senderAddress, recipientAddress, balance } = body
  const sender = assertAddress('senderAddress', senderAddress)
  const payee = assertAddress('recipientAddress', recipientAddress)
  const parties = { accountId: account.id, senderAddress, recipientAddress }
  const bound = { ...parties, feeBps: 0, feeRecipientAddress: undefined }
  return orderOnce(d, request, {
    isPayment: true,
    binding: { ...bound, balance },
    // A plain transfer. The quote of a top-up, or with a share for the partner, can't be verified here.
    bindingElsewhere: bound,
    create: (verified, idempotencyKey) =>
      create(d, { ...request, idempotencyKey }, { sender, payee }, verified),
  })
}

interface Parties {
  readonly sender: Address
  readonly payee: Address
}

async function create(
  d: PaymentDependencies,
  request: PaymentOrderRequest,
  { sender, payee }: Parties,
  verified: VerifiedQuote,
): Promise<Uint8Array> {
  const { account, body } = request
  const market = await d.market.fresh()
  const ticket = ticketOf(body, market.pool.program)
  const asset = assetOf(market, ticket)
  await screenParties(d.screener, [sender, payee], askerOf(account))
  const head = await askUpstream(() => d.chain.readHead(CLOCK_AGE_MAX_MS))
  assertOpen(market, asset)
  const validUntil = paymentEnd(head.unixSeconds)
  const leafIndex = await findNote(d, market.pool.domain, ticket, validUntil)
  if (await isSpentNote(d, account.id, ticket, leafIndex)) {
    throw new ServiceError('NOTE_IN_USE', { retryAfterSeconds: IN_USE_SECONDS_MIN })
  }
  const pair = { source: asset, destination: asset }
  const { ordersMax, endedBefore } = orderRoom(market, pair, account, d.accountSharePercent)
  const id = d.random.bytes(ORDER_ID_BYTES)
  const secrets = await d.secrets.forNewOrder(epochAt(d.clock.nowMs()))
  const terms = termsOf(verified, ticket, { payee, leafIndex })
  const order = renderOrder(id, terms, asset, { validUntil, eta: verified.quote.duration })
  const answer = new TextEncoder().encode(JSON.stringify({ success: true, order }))
  const nullifier = nullifierOf(d.poseidon, ticket.note.nk, BigInt(leafIndex))
  const reservations = await reservedNames(d.secrets, secrets, { kind: 'note', nullifier })
  assertUnexpired(verified, d.clock.nowMs())
  const outcome = await d.orders.tryCreatePayment(
    {
      ...{ id, accountId: account.id, quoteNonce: verified.id.nonce },
      idempotencyKey: request.idempotencyKey,
      fingerprint: storedFingerprint(secrets, request.received),
      ...{ epoch: secrets.epoch, reference: body.reference, validUntil },
      sealedTerms: secrets.seal(id, 'payment', encodePayment(terms)),
      sealedResponse: secrets.seal(id, 'response', answer),
      createdAtMs: d.clock.nowMs(),
      network: networkName(secrets, account, 'payment'),
      reservations,
    },
    ordersMax,
    endedBefore,
  )
  if (outcome === 'note_in_use') throw await noteInUse(d.orders, reservations, head.unixSeconds)
  assertCreated(outcome)
  return answer
}

/** Parses an amount of a quote that this service signed. */
function quoted(text: string): Amount {
  const value = parseAmount(text)
  if (value === undefined) throw new Error('a signed quote has a member that is not an amount')
  return value
}

function termsOf(
  { id, quote }: VerifiedQuote,
  { program, orderId, note }: Ticket,
  { payee, leafIndex }: { readonly payee: Address; readonly leafIndex: number },
): PaymentTerms {
  const { accountExisted } = id
  return {
    // The received ticket isn't stored, because its text may be longer than necessary.
    ticket: encodeTicket({ program, orderId, note }),
    ...{
      leafIndex,
      payee,
      payout: quoted(quote.amountOut),
      fee: quoted(quote.fee),
      accountExisted,
    },
  }
}

function renderOrder(
  id: Uint8Array,
  terms: PaymentTerms,
  { listing: { symbol } }: MarketAsset,
  { validUntil, eta }: { readonly validUntil: UnixSeconds; readonly eta: number },
): PaymentOrder {
  const end = isoOfSeconds(validUntil)
  return {
    trackingId: encodeTrackingId(id),
    amountIn: `${terms.payout + terms.fee}`,
    amountOut: `${terms.payout}`,
    ...{ sourceSymbol: symbol, destinationSymbol: symbol },
    ...{ eta, expiration: end, deliverBy: end },
    payment: renderTerms(terms, validUntil),
  }
}

function assertCreated(outcome: Exclude<CreatePaymentOutcome, 'note_in_use'>): void {
  switch (outcome) {
    case 'created':
      return
    case 'taken':
      throw new ServiceError('ORDER_IN_PROGRESS', { retryAfterSeconds: 1 })
    case 'too_many_unpaid':
      throw refusalOf(outcome)
  }
}
