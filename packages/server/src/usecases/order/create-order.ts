import type { CreateOrderRequest, OrderResponse } from '@sotto/contract'
import { unitPriceOf, type Address, type Poseidon, type UnixSeconds } from '@sotto/protocol'
import type { AccountStore } from '../../ports/account-store.ts'
import type { Chain, ChainHead } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CreateOutcome, OrderStore } from '../../ports/order-store.ts'
import type { PaidPayees } from '../../ports/paid-payees.ts'
import type { Prices } from '../../ports/prices.ts'
import type { Random } from '../../ports/random.ts'
import type { Screener } from '../../ports/screener.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Signer } from '../../ports/signer.ts'
import type { DelayLaw } from '../../domain/delivery-schedule.ts'
import { stateQuote } from '../../domain/state-quote.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import { askUpstream } from '../ask-upstream.ts'
import { assertAddress } from '../assert-address.ts'
import { authoriseDeposit } from './authorise-deposit.ts'
import { assertTopUp } from '../quote/assert-top-up.ts'
import { assertShareHasRecipient, checkPartner } from '../quote/check-partner.ts'
import { createCounted, type CountDependencies } from './count-order.ts'
import { draftOrder, type OrderDraft } from './draft-order.ts'
import { assertOpen, type Market, type MarketView } from '../market/market.ts'
import { newOrderOf } from './new-order.ts'
import {
  orderOnce,
  type OnceDependencies,
  type OrderAnswer,
  type OrderRequest,
} from './order-once.ts'
import { networkName, orderRoom, refusalOf } from './order-room.ts'
import { assertWorth } from '../quote/price-transfer.ts'
import { readOrderHead } from './read-order-head.ts'
import { renderOrder } from './render-order.ts'
import { askerOf, screenParties } from '../quote/screen-parties.ts'
import { ServiceError } from '../service-error.ts'
import { bindingOf } from '../quote/sign-quote.ts'
import { assertUnexpired, type VerifiedQuote } from '../quote/verify-quote.ts'

export interface OrderDependencies extends CountDependencies, OnceDependencies {
  readonly accounts: AccountStore
  readonly authoriser: Signer
  readonly chain: Chain
  readonly clock: Clock
  readonly market: MarketView
  readonly orders: OrderStore
  readonly paidPayees: PaidPayees
  readonly poseidon: Poseidon
  readonly prices: Prices
  readonly random: Random
  readonly screener: Screener
  readonly secrets: Secrets
  readonly law: DelayLaw
  readonly deliveryWindowSeconds: number
  readonly orderSeconds: number
  /**
   * Seconds for which an order may be paid. Set only by test mode, which shortens this time. The order's deadline and
   * the end of a swap still apply.
   */
  readonly payableSeconds?: number | undefined
  readonly swapSeconds: number
  /** Maximum share of an inventory that the unpaid swaps of one account may reserve, in percent. */
  readonly accountSharePercent: number
}

export type TransferOrderRequest = OrderRequest<CreateOrderRequest>

/**
 * Creates the order of a transfer or a top-up from its quote. A retry returns the same order.
 *
 * @throws ServiceError the errors of `orderOnce`.
 */
export async function createOrder(
  d: OrderDependencies,
  request: TransferOrderRequest,
): Promise<OrderAnswer> {
  assertAddresses(request.body)
  return orderOnce(d, request, {
    isPayment: false,
    binding: bindingOf(request.account.id, request.body),
    // The quote of a payment is bound to its balance, which an order's request doesn't name.
    bindingElsewhere: undefined,
    create: (verified, idempotencyKey) => create(d, request, verified, idempotencyKey),
  })
}

/** Checks the addresses in a body without reading the database. */
function assertAddresses(body: CreateOrderRequest): void {
  assertAddress('senderAddress', body.senderAddress)
  assertAddress('recipientAddress', body.recipientAddress)
  assertShareHasRecipient(body)
  if (body.feeRecipientAddress !== undefined) {
    assertAddress('feeRecipientAddress', body.feeRecipientAddress)
  }
  assertTopUp(body)
}

async function create(
  d: OrderDependencies,
  request: TransferOrderRequest,
  verified: VerifiedQuote,
  idempotencyKey: string | undefined,
): Promise<Uint8Array> {
  const market = await d.market.fresh()
  await assertStillAllowed(d, request)
  const head = await readOrderHead(d.chain, market.finalSeconds)
  const draft = await draftOrder(d, request.body, verified, market, head.unixSeconds)
  assertOpen(market, draft.source, draft.destination)
  const betterBy = await assertWorth(d, draft, draft.terms)
  const room = orderRoom(market, draft, request.account, d.accountSharePercent)
  const deposit = await authoriseDeposit(d.authoriser, market.pool, draft.terms)
  const transaction = await askUpstream(() =>
    d.chain.buildDeposit(market.pool.tree, deposit, head, unitPriceOf(market.priceStep)),
  )
  const eta = etaOf(draft, verified.quote.duration, head.unixSeconds)
  const answer = answerOf(draft, eta, market.pool.program, transaction, head)
  const body = new TextEncoder().encode(JSON.stringify(answer))
  const order = newOrderOf(draft, {
    accountId: request.account.id,
    idempotencyKey,
    received: request.received,
    quoteNonce: verified.id.nonce,
    reference: request.body.reference,
    lastValidBlockHeight: head.lastValidBlockHeight,
    body,
    createdAtMs: d.clock.nowMs(),
    network: networkName(draft.hourSecrets, request.account, 'order'),
    linkProbability: await linkProbabilityOf(d, market, draft, askerOf(request.account)),
  })
  assertUnexpired(verified, d.clock.nowMs())
  // The order is counted last, so an order that fails an earlier check uses up no allowance.
  const { account } = request
  const counted = { account, quoteId: verified.id, destination: draft.destination, betterBy }
  assertCreated(await createCounted(d, counted, () => d.orders.tryCreate(order, room)))
  // Later quotes must not offer the inventory that this swap has just reserved.
  if (room.swap !== undefined) {
    const { destinationMint: mint, accountId, network, value } = order
    d.market.reserve({ mint, accountId, network, amount: value })
  }
  return body
}

/**
 * The chance that a quote of this transfer would state now. Undefined for a top-up, which delivers nothing. Also
 * undefined for a transfer that is delivered only if its crowd becomes complete. The complete crowd will hide such a
 * transfer better than the present deposits do. If the pool has paid the recipient before, the chance depends on
 * whether the sender made one of the earlier payments. So the chance is undefined for such a recipient too. But if the
 * amount alone links the transfer to its sender, or the recipient is the sender, the chance is 1.
 */
async function linkProbabilityOf(
  { law, paidPayees }: Pick<OrderDependencies, 'law' | 'paidPayees'>,
  { observed }: Market,
  { terms, delays, crowd, topUp, recipient }: OrderDraft,
  asker: string,
): Promise<number | undefined> {
  if (topUp !== undefined || crowd?.missed === 'refund') return undefined
  const { destinationMint: mint, value, sender } = terms
  if (recipient === sender) return 1
  const { linkProbability } = stateQuote(observed, law, { mint, value, sender, delays, crowd })
  if (linkProbability === 1) return 1
  // The number is optional, so a failure only omits it.
  const isPaidBefore = await Promise.resolve(paidPayees.wasPaid(recipient, asker)).catch(() => true)
  return isPaidBefore ? undefined : linkProbability
}

/**
 * Expected seconds until the delivery. For a transfer that waits for its crowd, only the end of the wait is known. The
 * quote states the longest wait, and the order's end is known exactly.
 */
const etaOf = ({ crowd, note }: OrderDraft, quoted: number, nowSeconds: UnixSeconds): number =>
  crowd === undefined ? quoted : wholeNumber(note.expiry - nowSeconds)

function answerOf(
  { terms, note, amountOut, payableUntil, source, destination }: OrderDraft,
  eta: number,
  program: Address,
  transaction: string,
  head: ChainHead,
): OrderResponse {
  const sourceSymbol = source.listing.symbol
  const destinationSymbol = destination.listing.symbol
  const order = renderOrder(
    { program, note, terms, amountOut, payableUntil, sourceSymbol, destinationSymbol, eta },
    transaction,
    head,
  )
  return { success: true, order }
}

/** Checks screening lists, caps and registered wallets again, because they may have changed since the quote. */
async function assertStillAllowed(
  d: OrderDependencies,
  { account, body }: TransferOrderRequest,
): Promise<void> {
  await checkPartner(d.accounts, account, body)
  // `assertAddresses` has already checked that these texts are addresses.
  await screenParties(
    d.screener,
    [body.senderAddress, body.recipientAddress] as Address[],
    askerOf(account),
  )
}

function assertCreated(outcome: CreateOutcome): void {
  switch (outcome) {
    case 'created':
      return
    case 'taken':
      throw new ServiceError('ORDER_IN_PROGRESS', { retryAfterSeconds: 1 })
    case 'no_inventory':
    case 'too_many_swaps':
    case 'too_many_unpaid':
      throw refusalOf(outcome)
  }
}
