import type { OrderResponse } from '@sotto/contract'
import { amount, unixSeconds, type DepositTerms } from '@sotto/protocol'
import { outputOf } from '../domain/fees.ts'
import { decodeTerms } from '../domain/order-secrets.ts'
import type { Chain } from '../ports/chain.ts'
import type { Clock } from '../ports/clock.ts'
import type { OrderStore, StoredOrder } from '../ports/order-store.ts'
import type { Prices } from '../ports/prices.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Signer } from '../ports/signer.ts'
import { askUpstream } from './ask-upstream.ts'
import { authoriseDeposit } from './authorise-deposit.ts'
import { assertOpen, type Market, type MarketView } from './market.ts'
import { rateOf } from './price-transfer.ts'
import { findOwnOrder } from './read-status.ts'
import { renderOrder } from './render-order.ts'
import { ServiceError } from './service-error.ts'

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
 *   LIQUIDITY_UNAVAILABLE, SERVICE_PAUSED.
 */
export async function refreshTransaction(
  d: RefreshDependencies,
  accountId: string,
  trackingId: string,
): Promise<OrderResponse> {
  const { order } = await findOwnOrder(d.orders, accountId, trackingId)
  assertAwaiting(order)
  const market = await d.market.fresh()
  const [head, isDeposited, secrets] = await askUpstream(() =>
    Promise.all([d.chain.readHead(), d.chain.hasDeposit(order.id), d.secrets.read(order.epoch)]),
  )
  if (isDeposited) throw new ServiceError('ORDER_ALREADY_DEPOSITED')
  if (secrets === undefined || head.unixSeconds > order.deadline) {
    throw new ServiceError('ORDER_EXPIRED')
  }
  // A deposit that the program refuses, or that would go into a pool whose books don't add up.
  const assets = [order.sourceMint, order.destinationMint].flatMap(
    (mint) => market.assets.get(mint) ?? [],
  )
  assertOpen(market, ...assets)
  await assertSwappable(d, market, order)
  const terms = renewedTerms(d, order, head.unixSeconds)
  const deposit = await authoriseDeposit(d.authoriser, market.pool, terms)
  const transaction = await d.chain.buildDeposit(market.pool.tree, deposit, head)
  const newest = {
    lastValidBlockHeight: head.lastValidBlockHeight,
    validUntil: terms.validUntil,
  }
  if (!(await d.orders.tryRefresh(order.id, newest, d.clock.nowMs()))) {
    throw new ServiceError('ORDER_ALREADY_DEPOSITED')
  }
  const { recipient, ...delays } = decodeTerms(secrets.open(order.id, 'terms', order.sealedTerms))
  const rendered = renderOrder(
    {
      ...order,
      program: market.pool.program,
      orderId: order.id,
      noteKey: secrets.noteKey(order.id),
      recipient,
      sourceSymbol: symbolOf(market, order.sourceMint),
      destinationSymbol: symbolOf(market, order.destinationMint),
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

const symbolOf = (market: Market, mint: string): string => {
  const asset = market.assets.get(mint)
  if (asset === undefined) throw new ServiceError('UPSTREAM_UNAVAILABLE')
  return asset.listing.symbol
}

const WHOLE_BPS = 10_000n

/** A swap at a price that has left the tolerance would be a free option for its sender. */
async function assertSwappable(
  d: RefreshDependencies,
  market: Market,
  order: StoredOrder,
): Promise<void> {
  if (order.sourceMint === order.destinationMint) return
  const source = market.assets.get(order.sourceMint)
  const destination = market.assets.get(order.destinationMint)
  if (source === undefined || destination === undefined) throw new ServiceError('PRICE_MOVED')
  // Its reservation may have lapsed, and the inventory may be gone to others since.
  if (destination.facts.swapAvailable < order.amountOut) {
    throw new ServiceError('LIQUIDITY_UNAVAILABLE', { retryAfterSeconds: 30 })
  }
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
