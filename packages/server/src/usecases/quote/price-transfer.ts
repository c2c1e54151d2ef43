import { type Amount, type DepositTerms, amount, least, NOTHING } from '@sotto/protocol'
import {
  amountsOf,
  leastInput,
  payoutOf,
  SAME_ASSET,
  withSpread,
  worthOf,
  type Amounts,
  type FeeTerms,
  type Ratio,
  type SettleTariff,
} from '../../domain/fees.ts'
import { limitsOf, type Bounds, type Limits, type Mode } from '../../domain/limits.ts'
import type { Prices } from '../../ports/prices.ts'
import type { MarketAsset } from '../market/market.ts'
import { ServiceError } from '../service-error.ts'

export interface TransferToPrice {
  readonly mode: Mode
  readonly amount: Amount
  readonly source: MarketAsset
  readonly destination: MarketAsset
  /** False if the delivery must create the recipient's account. */
  readonly accountExisted: boolean
  readonly feeBps: number
  /** The part of the destination's inventory that the account may still reserve with a swap; 0 or less if none. */
  readonly shareMax: bigint
  /**
   * True if the deposit opens a balance. The service charges nothing for such a deposit, because each payment pays for
   * its own settlement. A partner's share is still charged.
   */
  readonly isTopUp: boolean
}

export interface PricedTransfer {
  readonly amounts: Amounts
  readonly limits: Limits
  /** The rate. For a swap it includes the spread. */
  readonly rate: Ratio
  readonly terms: FeeTerms
}

/** The tariff of a deposit that opens a balance. */
const FREE: SettleTariff = { serviceBps: 0, networkFee: NOTHING }

/** The destination's tariff for this recipient. */
function tariffOf({
  destination,
  accountExisted,
}: Pick<TransferToPrice, 'destination' | 'accountExisted'>): SettleTariff {
  const { serviceBps, networkFeeExists, networkFeeCreated } = destination.listing
  return { serviceBps, networkFee: accountExisted ? networkFeeExists : networkFeeCreated }
}

/** The terms of a swap that was ordered. */
export interface AgreedSwap extends Pick<
  TransferToPrice,
  'source' | 'destination' | 'accountExisted'
> {
  readonly amountIn: Amount
  readonly partnerFee: Amount
}

/**
 * The amount that a new quote with these terms would pay out now, in base units of the destination. It may be 0 or
 * less.
 */
export function payoutNow(mid: Ratio, spreadBps: number, swap: AgreedSwap): bigint {
  const { source, destination, amountIn, partnerFee } = swap
  if (!source.listing.isSwappable || !destination.listing.isSwappable) return 0n
  return payoutOf(worthOf(amountIn, partnerFee, withSpread(mid, spreadBps)), tariffOf(swap))
}

/** The bounds of an asset pair. `valueMax` is set only for a swap, which is paid from inventory. */
export function boundsOf(source: MarketAsset, destination: MarketAsset, shareMax = 0n): Bounds {
  const { depositMax } = source.facts
  const { inputMax } = source.listing
  const inputBound = least(depositMax, inputMax)
  const outputMin = destination.facts.payoutMin
  if (source.listing.mint === destination.listing.mint) return { inputMax: inputBound, outputMin }
  const valueMax = shareMax > 0n ? amount(shareMax) : NOTHING
  return { inputMax: inputBound, outputMin, valueMax }
}

/**
 * Returns the amounts, fees and current limits of a transfer. `mid` is the mid rate of the pair; undefined for a send.
 *
 * @throws ServiceError LIQUIDITY_UNAVAILABLE, AMOUNT_OUT_OF_RANGE.
 */
export function priceTransfer(
  mid: Ratio | undefined,
  spreadBps: number,
  transfer: TransferToPrice,
): PricedTransfer {
  const { mode, amount, source, destination, feeBps } = transfer
  const rate = mid === undefined ? SAME_ASSET : withSpread(mid, spreadBps)
  const tariff = transfer.isTopUp ? FREE : tariffOf(transfer)
  const { serviceBps, networkFee } = tariff
  const terms: FeeTerms = { serviceBps, networkFee, feeBps }
  const bounds = boundsOf(source, destination, transfer.shareMax)
  const limits = limitsOf(mode, bounds, terms, rate)
  // Nothing can be transferred now, so there are no bounds to report.
  if (limits.max < limits.min) {
    throw new ServiceError('LIQUIDITY_UNAVAILABLE', { retryAfterSeconds: 30 })
  }
  const amountIn = mode === 'exact_in' ? amount : leastInput(amount, terms, rate)
  const amounts = amountsOf(amountIn, terms, rate)
  if (amount < limits.min || amount > limits.max || amounts === undefined) {
    throw new ServiceError('AMOUNT_OUT_OF_RANGE', {
      param: 'amount',
      min: limits.min.toString(),
      max: limits.max.toString(),
    })
  }
  return { amounts, limits, rate, terms }
}

/** Reads the rate of a pair, before the spread. @throws ServiceError PRICE_UNAVAILABLE. */
export async function rateOf(
  prices: Prices,
  source: MarketAsset,
  destination: MarketAsset,
): Promise<Ratio> {
  const rate = await prices
    .readRate(source.listing.mint, destination.listing.mint)
    .catch((cause: unknown) => {
      throw noPrice(cause)
    })
  if (rate === undefined) throw noPrice()
  return rate
}

/**
 * Refuses a swap whose note is now worth more than its deposit. This happens if the market has moved by more than the
 * spread since the quote. Returns the value of the order's note minus the value that a new quote would give its note,
 * in base units of the destination. The result is 0 or less if the order isn't better than a new quote.
 *
 * @throws ServiceError PRICE_MOVED, PRICE_UNAVAILABLE.
 */
export async function assertWorth(
  { prices, spreadBps }: { readonly prices: Prices; readonly spreadBps: number },
  { source, destination }: { readonly source: MarketAsset; readonly destination: MarketAsset },
  { amountIn, partnerFee, value }: Pick<DepositTerms, 'amountIn' | 'partnerFee' | 'value'>,
): Promise<bigint> {
  if (source === destination) return 0n
  const rate = await rateOf(prices, source, destination)
  if (worthOf(amountIn, partnerFee, rate) < value) throw new ServiceError('PRICE_MOVED')
  return value - worthOf(amountIn, partnerFee, withSpread(rate, spreadBps))
}

const noPrice = (cause?: unknown): ServiceError =>
  new ServiceError('PRICE_UNAVAILABLE', { cause, retryAfterSeconds: 5 })
