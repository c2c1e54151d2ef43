import type { Quote, QuoteRequest } from '@sotto/contract'
import { parseAmount, type Amount } from '@sotto/protocol'
import { epochAt } from '../../domain/epoch.ts'
import { SAME_ASSET } from '../../domain/fees.ts'
import { ALONE } from '../../domain/privacy-statement.ts'
import type { Account } from '../../ports/account-store.ts'
import type { UnsignedQuote } from '../../ports/quote-text.ts'
import { askUpstream } from '../ask-upstream.ts'
import { assertAddress } from '../assert-address.ts'
import { isoOfMs } from '../iso-time.ts'
import { assertOpen, type MarketAsset } from '../market/market.ts'
import { chanceText } from '../../domain/state-quote.ts'
import { crowdAskedFor } from '../quote/asked-crowd.ts'
import { assertTopUp } from '../quote/assert-top-up.ts'
import { boundsOf } from '../quote/price-transfer.ts'
import type { QuoteAnswer, QuoteDependencies } from '../quote/quote-transfer.ts'
import { askerOf, screenParties } from '../quote/screen-parties.ts'
import { signQuote } from '../quote/sign-quote.ts'
import { suggestAmounts } from '../quote/suggest-amounts.ts'
import { invalid, ServiceError } from '../service-error.ts'
import { assetOf, awaitNote, ticketOf, type AwaitedNoteDependencies } from './find-note.ts'
import { paymentEnd } from './payment-end.ts'
import { pricePayment, type PricedPayment } from './price-payment.ts'

export type PaymentQuoteDependencies = QuoteDependencies & AwaitedNoteDependencies

export type PaymentQuoteRequest = QuoteRequest & { readonly balance: string }

/**
 * Quotes a payment out of a balance. The quote has the same members as a transfer's quote, but no delay, no swap and no
 * partner's share.
 */
export async function quotePayment(
  d: PaymentQuoteDependencies,
  account: Account,
  request: PaymentQuoteRequest,
): Promise<QuoteAnswer> {
  const sender = assertAddress('senderAddress', request.senderAddress)
  const payee = assertAddress('recipientAddress', request.recipientAddress)
  const asked = parseAmount(request.amount)
  if (asked === undefined) throw invalid('amount', 'must be decimal digits, and fit into 64 bits')
  assertNoDelays(request)
  crowdAskedFor(request, d.law, NO_DELAYS, 0)
  const market = await d.market.fresh()
  const ticket = ticketOf(request, market.pool.program)
  // `ticketOf` has refused a `balanceKey`, so this refuses the other members of a top-up.
  assertTopUp(request)
  const asset = assetOf(market, ticket)
  assertAsset(request, asset)
  assertOpen(market, asset)
  const asker = askerOf(account)
  await screenParties(d.screener, [sender, payee], asker)
  const head = await askUpstream(() => d.chain.readHead(HEAD_AGE_MAX_MS))
  const end = paymentEnd(head.unixSeconds)
  await awaitNote(d, market.pool.domain, ticket, end, asker)
  const [state, isPaidBefore] = await askUpstream(() =>
    Promise.all([
      d.chain.readRecipient(ticket.note.mint, payee, asker),
      d.paidPayees.wasPaid(payee, asker),
    ]),
  )
  if (state === 'blocked') {
    throw new ServiceError('RECIPIENT_NOT_PAYABLE', { param: 'recipientAddress' })
  }
  const accountExisted = state === 'payable'
  const mode = request.mode ?? 'exact_in'
  const tariff = tariffOf(asset, accountExisted)
  const { outputMin } = boundsOf(asset, asset)
  const priced = pricePayment({ mode, amount: asked }, ticket.note.value, outputMin, tariff)
  const secrets = await d.secrets.forNewOrder(epochAt(d.clock.nowMs()))
  const quote = signQuote(
    d,
    secrets,
    unsignedQuote(d, request, mode, priced, tariff.networkFee),
    { ...NO_DELAYS, accountExisted, isPayment: true, value: priced.gross },
    {
      ...{ accountId: account.id, senderAddress: request.senderAddress },
      ...{ recipientAddress: request.recipientAddress, balance: request.balance },
      ...{ feeBps: 0, feeRecipientAddress: undefined },
    },
  )
  const suggestions = suggestAmounts(
    {
      ...{ mode, amountOut: priced.payout, limits: priced.limits },
      ...{ terms: { ...tariff, feeBps: 0 }, rate: SAME_ASSET },
    },
    () => ALONE,
  )
  const { anonymitySet } = ALONE
  const suggestedAmounts = suggestions.map(({ amount }) => amount)
  const privacy = { anonymitySet, windowSeconds: 0, suggestedAmounts }
  const beside = {
    ...{ privacy, linkProbability: chanceText(ALONE.linkProbability), suggestions },
    ...{ recipientPaidBefore: isPaidBefore, senderMustHold: NOTHING },
  }
  return { text: d.quoteText.answer(quote, beside) }
}

/** A payment needs no funds in the wallet. */
const NOTHING = { native: '0', source: '0' }
const NO_DELAYS = { minDelaySeconds: 0, maxDelaySeconds: 0 }
const HEAD_AGE_MAX_MS = 2_000

function assertNoDelays({ minDelaySeconds = 0, maxDelaySeconds = 0 }: QuoteRequest): void {
  if (minDelaySeconds === 0 && maxDelaySeconds === 0) return
  const param = minDelaySeconds > 0 ? 'minDelaySeconds' : 'maxDelaySeconds'
  throw invalid(param, 'must be 0: a payment out of a balance has no delay')
}

/** Checks that source and destination are the asset of the balance. @throws ServiceError UNSUPPORTED_ASSET. */
function assertAsset(request: QuoteRequest, { listing: { mint } }: MarketAsset): void {
  for (const param of ['sourceAssetId', 'destinationAssetId'] as const) {
    if (request[param] !== mint) throw new ServiceError('UNSUPPORTED_ASSET', { param })
  }
}

function tariffOf({ listing }: MarketAsset, accountExisted: boolean) {
  const { serviceBps, networkFeeExists, networkFeeCreated } = listing
  return { serviceBps, networkFee: accountExisted ? networkFeeExists : networkFeeCreated }
}

function unsignedQuote(
  { clock, arrivalSeconds, quoteSeconds }: QuoteDependencies,
  request: QuoteRequest,
  mode: Quote['mode'],
  { gross, payout, fee, limits }: PricedPayment,
  networkFee: Amount,
): UnsignedQuote {
  const nowMs = clock.nowMs()
  const serviceFee = `${fee - networkFee}`
  return {
    sourceAssetId: request.sourceAssetId,
    destinationAssetId: request.destinationAssetId,
    mode,
    amountIn: `${gross}`,
    amountOut: `${payout}`,
    fee: `${fee}`,
    protocolFee: serviceFee,
    networkFee: `${networkFee}`,
    feeBreakdown: { serviceFee, partnerFee: '0', networkFee: `${networkFee}` },
    duration: arrivalSeconds('payment'),
    min: `${limits.min}`,
    max: `${limits.max}`,
    issuedAt: isoOfMs(nowMs),
    expiresAt: isoOfMs(nowMs + quoteSeconds * 1_000),
  }
}
