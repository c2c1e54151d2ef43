import type { OrderResponse } from '@sotto/contract'
import { amount, unixSeconds, type DepositTerms } from '@sotto/protocol'
import { outputOf } from '../domain/fees.ts'
import { decodeTerms } from '../domain/order-secrets.ts'
import type { Account } from '../ports/account-store.ts'
import type { Chain } from '../ports/chain.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrderStore, RefreshOutcome, StoredOrder } from '../ports/order-store.ts'
import type { Prices } from '../ports/prices.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Signer } from '../ports/signer.ts'
import { askUpstream } from './ask-upstream.ts'
import { authoriseDeposit } from './authorise-deposit.ts'
import { assertOpen, type Market, type MarketAsset, type MarketView } from './market.ts'
import { rateOf } from './price-transfer.ts'
import { findOwnOrder } from './read-status.ts'
import { renderOrder } from './render-order.ts'
import { ServiceError } from './service-error.ts'
import { noRoom, swapRoom } from './swap-room.ts'

export interface RefreshDependencies {
  readonly authoriser: Signer
  readonly chain: Chain
  readonly clock: Clock
  readonly market: MarketView
  readonly orders: OrderStore
  readonly prices: Prices
  readonly secrets: Secrets
  readonly swapSeconds: number
  /** How far the price may have moved against the service, in basis points of the output. */
  readonly priceToleranceBps: number
}

/**
 * A new transaction for the same deposit. All variants name the same Order account, so at most one of
 * them can land (I4); that is why this may be repeated, also early.
 *
 * @throws ServiceError ORDER_NOT_FOUND, ORDER_ALREADY_DEPOSITED, ORDER_EXPIRED, PRICE_MOVED,
 *   LIQUIDITY_UNAVAILABLE, RATE_LIMITED, SERVICE_PAUSED.
 */
export async function refreshTransaction(
  d: RefreshDependencies,
  account: Account,
  trackingId: string,
): Promise<OrderResponse> {
  const { order } = await findOwnOrder(d.orders, account.id, trackingId)
  assertAwaiting(order)
  const market = await d.market.fresh()
  const [head, isDeposited, secrets] = await askUpstream(() =>
    Promise.all([d.chain.readHead(), d.chain.hasDeposit(order.id), d.secrets.read(order.epoch)]),
  )
  if (isDeposited) throw new ServiceError('ORDER_ALREADY_DEPOSITED')
  if (secrets === undefined || head.unixSeconds > order.deadline) {
    throw new ServiceError('ORDER_EXPIRED')
  }
  const source = assetOf(market, order.sourceMint)
  const destination = assetOf(market, order.destinationMint)
  // A deposit that the program refuses, or that would go into a pool whose books don't add up.
  assertOpen(market, source, destination)
  await assertPrice(d, order, source, destination)
  const terms = renewedTerms(d, order, head.unixSeconds)
  const deposit = await authoriseDeposit(d.authoriser, market.pool, terms)
  const transaction = await askUpstream(() => d.chain.buildDeposit(market.pool.tree, deposit, head))
  const newest = {
    lastValidBlockHeight: head.lastValidBlockHeight,
    validUntil: terms.validUntil,
  }
  const room = swapRoom(source, destination, account, head.unixSeconds)
  assertRefreshed(await d.orders.tryRefresh(order, newest, room, d.clock.nowMs()))
  // Lapsed, so that the last look at the reservations did not count it.
  if (room !== undefined && order.validUntil < head.unixSeconds) {
    d.market.reserve(order.destinationMint, order.amountOut)
  }
  const { recipient, ...delays } = decodeTerms(secrets.open(order.id, 'terms', order.sealedTerms))
  const rendered = renderOrder(
    {
      program: market.pool.program,
      terms,
      noteKey: secrets.noteKey(order.id),
      recipient,
      sourceSymbol: source.listing.symbol,
      destinationSymbol: destination.listing.symbol,
      delays,
    },
    transaction,
    head,
  )
  return { success: true, order: rendered }
}

function assertAwaiting({ status }: StoredOrder): void {
  if (status === 'expired') throw new ServiceError('ORDER_EXPIRED')
  if (status !== 'awaiting_deposit') throw new ServiceError('ORDER_ALREADY_DEPOSITED')
}

function assertRefreshed(outcome: RefreshOutcome): void {
  switch (outcome) {
    case 'refreshed':
      return
    case 'not_awaiting':
      throw new ServiceError('ORDER_ALREADY_DEPOSITED')
    case 'no_inventory':
    case 'too_many_open':
      throw noRoom(outcome)
  }
}

/** An asset of an order that was made, so that its absence is the look's fault and passes. */
function assetOf(market: Market, mint: string): MarketAsset {
  const asset = market.assets.get(mint)
  if (asset === undefined) throw new ServiceError('UPSTREAM_UNAVAILABLE')
  return asset
}

const WHOLE_BPS = 10_000n

/** A swap at a price that has left the tolerance would be a free option for its sender. */
async function assertPrice(
  d: RefreshDependencies,
  order: StoredOrder,
  source: MarketAsset,
  destination: MarketAsset,
): Promise<void> {
  if (source === destination) return
  const rate = await rateOf(d.prices, source, destination)
  const noFees = { serviceBps: 0, feeBps: 0, networkFee: amount(0n) }
  const worth = outputOf(order.amountIn - order.partnerFee - order.fee, noFees, rate)
  const least = order.amountOut * (WHOLE_BPS - BigInt(d.priceToleranceBps))
  if (worth * WHOLE_BPS < least) throw new ServiceError('PRICE_MOVED')
}

/** The order's own terms; only a swap's authorisation gets a new end. */
function renewedTerms(
  { swapSeconds }: RefreshDependencies,
  order: StoredOrder,
  chainSeconds: bigint,
): DepositTerms {
  const isSend = order.sourceMint === order.destinationMint
  const renewed = chainSeconds + BigInt(swapSeconds)
  const validUntil = isSend || renewed > order.deadline ? order.deadline : renewed
  return {
    orderId: order.id,
    sender: order.sender,
    sourceMint: order.sourceMint,
    destinationMint: order.destinationMint,
    amountIn: amount(order.amountIn),
    amountOut: amount(order.amountOut),
    fee: amount(order.fee),
    partnerFee: amount(order.partnerFee),
    partnerAccount: order.partnerAccount,
    deadline: unixSeconds(order.deadline),
    validUntil: unixSeconds(validUntil),
    expiry: unixSeconds(order.expiry),
    inner: order.inner,
    payload: order.payload,
  }
}
