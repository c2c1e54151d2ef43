import type { OrderResponse } from '@sotto/contract'
import { unitPriceOf, type DepositTerms, type UnixSeconds } from '@sotto/protocol'
import { noteOf } from '../../domain/note-of.ts'
import { swapEnd } from '../../domain/swap-times.ts'
import { decodeTerms, type SealedTerms } from '../../domain/order-secrets.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Account } from '../../ports/account-store.ts'
import type { Chain } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OrderStore, StoredOrder } from '../../ports/order-store.ts'
import type { Prices } from '../../ports/prices.ts'
import type { Screener } from '../../ports/screener.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Signer } from '../../ports/signer.ts'
import { askUpstream } from '../ask-upstream.ts'
import { authoriseDeposit } from './authorise-deposit.ts'
import { assertOpen, type Market, type MarketAsset, type MarketView } from '../market/market.ts'
import { payoutNow, rateOf, type AgreedSwap } from '../quote/price-transfer.ts'
import { findOwnOrder } from '../status/read-status.ts'
import { renderOrder } from './render-order.ts'
import type { ArrivalSeconds } from '../../domain/delivery-schedule.ts'
import { askerOf, screenParties } from '../quote/screen-parties.ts'
import { ServiceError } from '../service-error.ts'

export interface RefreshDependencies {
  readonly authoriser: Signer
  readonly chain: Chain
  readonly clock: Clock
  readonly market: MarketView
  readonly orders: OrderStore
  readonly prices: Prices
  readonly screener: Screener
  readonly secrets: Secrets
  readonly spreadBps: number
  readonly swapSeconds: number
  readonly arrivalSeconds: ArrivalSeconds
}

/**
 * Makes a new transaction for the same deposit. All transactions of an order name the same Order account, so at most
 * one of them can land (invariant I4). Therefore a refresh may be repeated, even while the last transaction is still
 * valid. A swap gets no new transaction if a new quote would pay out less. No transaction of a swap stays valid after
 * the order's reservation of inventory ends.
 *
 * @throws ServiceError ORDER_NOT_FOUND, ORDER_ALREADY_DEPOSITED, ORDER_EXPIRED, SCREENING_REFUSED, PRICE_MOVED,
 * PRICE_UNAVAILABLE, LIQUIDITY_UNAVAILABLE, SERVICE_PAUSED, UPSTREAM_UNAVAILABLE.
 */
export async function refreshTransaction(
  d: RefreshDependencies,
  account: Account,
  trackingId: string,
): Promise<OrderResponse> {
  const { order } = await findOwnOrder(d.orders, account.id, trackingId)
  assertAwaiting(order)
  const market = await d.market.fresh()
  const [head, secrets] = await askUpstream(() =>
    Promise.all([d.chain.readHead(), d.secrets.read(order.epoch)]),
  )
  if (secrets === undefined || head.unixSeconds > order.validUntil) {
    throw new ServiceError('ORDER_EXPIRED')
  }
  const source = assetOf(market, order.sourceMint)
  const destination = assetOf(market, order.destinationMint)
  // The new transaction leads to a deposit, so a refresh is refused for the same reasons as a new order. Only the
  // partner's share isn't checked again: the order keeps it as it was agreed.
  assertOpen(market, source, destination)
  const sealed = decodeTerms(secrets.open(order.id, 'terms', order.sealedTerms))
  const { recipient, owner, accountExisted } = sealed
  await screenParties(d.screener, [order.sender, recipient], askerOf(account))
  if (source !== destination)
    await assertPrice(d, { ...order, source, destination, accountExisted })
  const terms = renewedTerms(d, order, head.unixSeconds)
  const deposit = await authoriseDeposit(d.authoriser, market.pool, terms)
  const transaction = await askUpstream(() =>
    d.chain.buildDeposit(market.pool.tree, deposit, head, unitPriceOf(market.priceStep)),
  )
  const { lastValidBlockHeight } = head
  if (!(await d.orders.tryRefresh(order.id, lastValidBlockHeight, d.clock.nowMs()))) {
    // The order got its deposit or expired since it was read.
    assertAwaiting((await findOwnOrder(d.orders, account.id, trackingId)).order)
    throw new ServiceError('UPSTREAM_UNAVAILABLE')
  }
  const rendered = renderOrder(
    {
      program: market.pool.program,
      terms,
      note: noteOf(order, { nk: secrets.noteKey(order.id), recipient, owner }),
      amountOut: order.amountOut,
      payableUntil: order.validUntil,
      sourceSymbol: source.listing.symbol,
      destinationSymbol: destination.listing.symbol,
      eta: etaOf(d, order, sealed, head.unixSeconds),
    },
    transaction,
    head,
  )
  return { success: true, order: rendered }
}

/**
 * Expected seconds until the funds arrive. While a transfer may wait for its crowd, only the end of the wait is known.
 */
function etaOf(
  { arrivalSeconds }: Pick<RefreshDependencies, 'arrivalSeconds'>,
  { expiry }: Pick<StoredOrder, 'expiry'>,
  terms: SealedTerms,
  nowSeconds: UnixSeconds,
): number {
  if (terms.crowd !== undefined) return wholeNumber(expiry - nowSeconds)
  return arrivalSeconds(terms.owner === undefined ? terms : 'top_up')
}

/** Checks the status, using only the database. Asking a node about an unpaid order would reveal who is about to pay. */
function assertAwaiting({ status, isDepositSeen }: StoredOrder): void {
  if (status === 'expired') throw new ServiceError('ORDER_EXPIRED')
  if (status !== 'awaiting_deposit' || isDepositSeen) {
    throw new ServiceError('ORDER_ALREADY_DEPOSITED')
  }
}

/**
 * Finds an asset of an existing order in the snapshot. A missing asset means that the snapshot is incomplete, so the
 * error is temporary.
 */
function assetOf(market: Market, mint: string): MarketAsset {
  const asset = market.assets.get(mint)
  if (asset === undefined) throw new ServiceError('UPSTREAM_UNAVAILABLE')
  return asset
}

/**
 * Refuses the refresh if the order pays out more than a new quote would. If such a refresh were allowed, the sender
 * could wait at no cost until the price favours the sender.
 */
async function assertPrice(
  d: RefreshDependencies,
  swap: AgreedSwap & Pick<StoredOrder, 'amountOut'>,
): Promise<void> {
  const mid = await rateOf(d.prices, swap.source, swap.destination)
  if (payoutNow(mid, d.spreadBps, swap) < swap.amountOut) throw new ServiceError('PRICE_MOVED')
}

/**
 * The order's own terms, so the leaf stays the same. Only a swap's authorisation gets a new end, which isn't after the
 * order's end.
 */
function renewedTerms(
  { swapSeconds }: RefreshDependencies,
  order: StoredOrder,
  chainSeconds: UnixSeconds,
): DepositTerms {
  const isSend = order.sourceMint === order.destinationMint
  const renewed = swapEnd(chainSeconds, BigInt(swapSeconds))
  const validUntil = isSend || renewed > order.validUntil ? order.validUntil : renewed
  return {
    orderId: order.id,
    sender: order.sender,
    sourceMint: order.sourceMint,
    destinationMint: order.destinationMint,
    amountIn: order.amountIn,
    value: order.value,
    partnerFee: order.partnerFee,
    partnerAccount: order.partnerAccount,
    deadline: order.deadline,
    validUntil,
    inner: order.inner,
    payload: order.payload,
  }
}
