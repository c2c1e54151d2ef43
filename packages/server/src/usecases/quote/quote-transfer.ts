import type { Quote, QuoteRequest } from '@sotto/contract'
import {
  ceilToGrid,
  expiryOf,
  parseAmount,
  sumOf,
  TIME_GRID_SECONDS,
  type Address,
  type UnixSeconds,
} from '@sotto/protocol'
import { balanceTermsOf } from '../../domain/balance.ts'
import type { CrowdWish } from '../../domain/crowd.ts'
import {
  chooseDelays,
  type Arriving,
  type ArrivalSeconds,
  type DelayLaw,
  type DelayPolicy,
  type Delays,
} from '../../domain/delivery-schedule.ts'
import { epochAt } from '../../domain/epoch.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Account, AccountStore } from '../../ports/account-store.ts'
import type { PayeeState } from '../../ports/settlement-chain.ts'
import type { Chain } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PaidPayees } from '../../ports/paid-payees.ts'
import type { Prices } from '../../ports/prices.ts'
import type { QuoteText, UnsignedQuote } from '../../ports/quote-text.ts'
import type { Random } from '../../ports/random.ts'
import type { Screener } from '../../ports/screener.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import { askAllUpstream } from '../ask-upstream.ts'
import { assertAddress } from '../assert-address.ts'
import { assertTopUp } from './assert-top-up.ts'
import { crowdAskedFor } from './asked-crowd.ts'
import { besideQuote } from './beside-quote.ts'
import { assertSender } from './assert-sender.ts'
import { checkPartner } from './check-partner.ts'
import { assertOpen, type Market, type MarketAsset, type MarketView } from '../market/market.ts'
import { networkName, shareLeft } from '../order/order-room.ts'
import { priceTransfer, rateOf, type PricedTransfer } from './price-transfer.ts'
import { isoOfMs } from '../iso-time.ts'
import { askerOf, screenParties } from './screen-parties.ts'
import { invalid, ServiceError } from '../service-error.ts'
import { bindingOf, signQuote } from './sign-quote.ts'

export interface QuoteDependencies {
  readonly accounts: AccountStore
  readonly chain: Chain
  readonly clock: Clock
  readonly market: MarketView
  readonly paidPayees: PaidPayees
  readonly prices: Prices
  readonly quoteText: QuoteText
  readonly random: Random
  readonly screener: Screener
  /** Returns the secrets of the current epoch. New secrets are durably stored before they are returned. */
  readonly secrets: { readonly forNewOrder: (epoch: number) => MaybePromise<EpochSecrets> }
  readonly delays: DelayPolicy
  readonly arrivalSeconds: ArrivalSeconds
  readonly law: DelayLaw
  readonly quoteSeconds: number
  readonly orderSeconds: number
  readonly spreadBps: number
  /** The maximum share of an inventory that the unpaid swaps of one account may reserve, in percent. */
  readonly accountSharePercent: number
}

/** The complete response to a quote request, as JSON. */
export interface QuoteAnswer {
  readonly text: string
}

/**
 * Calculates amounts, fees, limits and the expected delivery. The quote isn't stored: its quoteId binds the quote to
 * the request.
 */
export async function quoteTransfer(
  d: QuoteDependencies,
  account: Account,
  request: QuoteRequest,
): Promise<QuoteAnswer> {
  const sender = assertAddress('senderAddress', request.senderAddress)
  const recipient = assertAddress('recipientAddress', request.recipientAddress)
  const amount = parseAmount(request.amount)
  if (amount === undefined) throw invalid('amount', 'must be decimal digits, and fit into 64 bits')
  assertTopUp(request)
  const topUp = balanceTermsOf(request)
  const delays = topUp === undefined ? chooseDelays(d.delays, request) : NO_DELAYS
  if (delays === undefined)
    throw invalid(
      'maxDelaySeconds',
      'must be at least the minimum delay, and at most the longest delay of this service',
    )
  const crowd = crowdAskedFor(request, d.law, delays, d.delays.windowSeconds)
  const market = await d.market.fresh()
  assertSender(sender, market.pool)
  const pair = findPair(market, request)
  const partner = await checkPartner(d.accounts, account, request)
  assertOpen(market, pair.source, pair.destination)
  const asker = askerOf(account)
  await screenParties(d.screener, [sender, recipient], asker)
  const isTopUp = topUp !== undefined
  const parties = { recipient, partner: partner.recipient, isTopUp }
  const { accountExisted, isPaidBefore } = await readParties(d, pair, parties, asker)
  const mode = request.mode ?? 'exact_in'
  const { feeBps } = partner
  const { source, destination } = pair
  const mid = source === destination ? undefined : await rateOf(d.prices, source, destination)
  const secrets = await d.secrets.forNewOrder(epochAt(d.clock.nowMs()))
  const network = networkName(secrets, account, 'order')
  const shareMax = shareLeft(destination, account, d.accountSharePercent, network)
  const transfer = { mode, amount, source, destination, accountExisted, feeBps, shareMax, isTopUp }
  const priced = priceTransfer(mid, d.spreadBps, transfer)
  const nowMs = d.clock.nowMs()
  const duration = durationOf(d, crowd, isTopUp ? 'top_up' : delays, market.finalSeconds)
  const quote = signQuote(
    d,
    secrets,
    unsignedQuote(request, mode, priced, duration, nowMs, d.quoteSeconds),
    {
      minDelaySeconds: delays.minDelaySeconds,
      maxDelaySeconds: delays.maxDelaySeconds,
      accountExisted,
      isPayment: false,
      crowd,
      value: priced.amounts.value,
    },
    bindingOf(account.id, request),
  )
  const wishes = { mode, sender, recipient, delays, crowd, isPaidBefore }
  const beside = besideQuote(d.law, market, { source, destination, priced, ...wishes })
  return { text: d.quoteText.answer(quote, beside) }
}

/**
 * Expected seconds until the delivery. For a transfer that waits for its crowd, the result is the longest possible
 * wait: from the order until the end of its delivery window. The order's deadline may be one step of the time grid
 * later than the deadline of an order that is made now.
 */
export function durationOf(
  {
    arrivalSeconds,
    orderSeconds,
    delays: { windowSeconds },
  }: Pick<QuoteDependencies, 'arrivalSeconds' | 'orderSeconds' | 'delays'>,
  crowd: CrowdWish | undefined,
  arriving: Arriving,
  nowSeconds: UnixSeconds,
): number {
  if (crowd === undefined) return arrivalSeconds(arriving)
  const deadline = ceilToGrid(nowSeconds + BigInt(orderSeconds) + TIME_GRID_SECONDS)
  return wholeNumber(expiryOf(deadline, BigInt(windowSeconds)) - nowSeconds)
}

/** A balance can be used as soon as its deposit is final, so a top-up has no delays. */
const NO_DELAYS: Delays = { minDelaySeconds: 0, maxDelaySeconds: 0 }

interface Pair {
  readonly source: MarketAsset
  readonly destination: MarketAsset
}

type AssetParam = 'sourceAssetId' | 'destinationAssetId'

function findAsset(market: Market, request: QuoteRequest, param: AssetParam): MarketAsset {
  const asset = market.assets.get(request[param])
  if (asset === undefined) throw new ServiceError('UNSUPPORTED_ASSET', { param })
  return asset
}

function findPair(market: Market, request: QuoteRequest): Pair {
  const pair = {
    source: findAsset(market, request, 'sourceAssetId'),
    destination: findAsset(market, request, 'destinationAssetId'),
  }
  if (pair.source === pair.destination) return pair
  if (!pair.source.listing.isSwappable) {
    throw new ServiceError('UNSUPPORTED_ASSET', { param: 'sourceAssetId' })
  }
  if (!pair.destination.listing.isSwappable) {
    throw new ServiceError('UNSUPPORTED_ASSET', { param: 'destinationAssetId' })
  }
  if (request.mode === 'exact_out') throw new ServiceError('MODE_NOT_SUPPORTED', { param: 'mode' })
  return pair
}

interface Parties {
  readonly accountExisted: boolean
  /** True if the pool has paid the recipient before. Undefined for a top-up. */
  readonly isPaidBefore: boolean | undefined
}

/** Checks that recipient and partner can be paid. The partner's account must exist. */
function readParties(
  { chain, paidPayees }: Pick<QuoteDependencies, 'chain' | 'paidPayees'>,
  { source, destination }: Pair,
  {
    recipient,
    partner,
    isTopUp,
  }: {
    readonly recipient: Address
    readonly partner: Address | undefined
    readonly isTopUp: boolean
  },
  asker: string,
): MaybePromise<Parties> {
  const payee = chain.readRecipient(destination.listing.mint, recipient, asker)
  const partnerState =
    partner === undefined ? 'payable' : chain.readPartner(source.listing.mint, partner)
  const isPaidBefore = isTopUp ? undefined : paidPayees.wasPaid(recipient, asker)
  return askAllUpstream([payee, partnerState, isPaidBefore], assertPayable)
}

function assertPayable([payee, partner, isPaidBefore]: readonly [
  PayeeState,
  PayeeState,
  boolean | undefined,
]): Parties {
  if (payee === 'blocked') {
    throw new ServiceError('RECIPIENT_NOT_PAYABLE', { param: 'recipientAddress' })
  }
  if (partner !== 'payable') {
    throw new ServiceError('FEE_RECIPIENT_NOT_PAYABLE', { param: 'feeRecipientAddress' })
  }
  return { accountExisted: payee === 'payable', isPaidBefore }
}

function unsignedQuote(
  request: QuoteRequest,
  mode: Quote['mode'],
  { amounts, limits }: PricedTransfer,
  duration: number,
  nowMs: number,
  quoteSeconds: number,
): UnsignedQuote {
  const { serviceFee, partnerFee, networkFee } = amounts
  const protocolFee = sumOf([serviceFee, partnerFee])
  const feeBreakdown = {
    serviceFee: `${serviceFee}`,
    partnerFee: `${partnerFee}`,
    networkFee: `${networkFee}`,
  }
  return {
    sourceAssetId: request.sourceAssetId,
    destinationAssetId: request.destinationAssetId,
    mode,
    amountIn: `${amounts.amountIn}`,
    amountOut: `${amounts.amountOut}`,
    fee: `${protocolFee + networkFee}`,
    protocolFee: `${protocolFee}`,
    networkFee: feeBreakdown.networkFee,
    feeBreakdown,
    duration,
    min: `${limits.min}`,
    max: `${limits.max}`,
    issuedAt: isoOfMs(nowMs),
    expiresAt: isoOfMs(nowMs + quoteSeconds * 1_000),
  }
}
