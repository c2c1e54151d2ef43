import { showDecimal, type Address, type Amount } from '@sotto/protocol'
import type { CrowdWish } from '../../domain/crowd.ts'
import type { DelayLaw, Delays } from '../../domain/delivery-schedule.ts'
import { depositCost } from '../../domain/deposit-cost.ts'
import type { Ratio } from '../../domain/fees.ts'
import type { Mode } from '../../domain/limits.ts'
import { chanceText, stateQuote, UNSHARED, type QuoteStatement } from '../../domain/state-quote.ts'
import type { BesideQuote } from '../../ports/quote-text.ts'
import type { Market, MarketAsset } from '../market/market.ts'
import type { PricedTransfer } from './price-transfer.ts'
import { suggestAmounts } from './suggest-amounts.ts'

interface QuotedTransfer {
  readonly source: MarketAsset
  readonly destination: MarketAsset
  readonly mode: Mode
  readonly priced: PricedTransfer
  readonly sender: Address
  readonly recipient: Address
  readonly delays: Delays
  readonly crowd: CrowdWish | undefined
  /** True if the pool has paid the recipient before. Undefined for a top-up. */
  readonly isPaidBefore: boolean | undefined
}

/** Everything in the answer to a quote's request except the quote: above all, the privacy of the transfer. */
export function besideQuote(law: DelayLaw, market: Market, transfer: QuotedTransfer): BesideQuote {
  const { source, destination, mode, priced, sender, recipient, delays, crowd, isPaidBefore } =
    transfer
  const { amounts, limits, terms, rate } = priced
  const { mint } = destination.listing
  // The deposit and the delivery name the same wallet, so no other deposit hides the transfer.
  const isToSelf = isPaidBefore !== undefined && recipient === sender
  const state = (value: Amount) =>
    isToSelf ? UNSHARED : stateQuote(market.observed, law, { mint, value, sender, delays, crowd })
  const byAmount = state(amounts.value)
  const isPaid = isPaidBefore === true
  const stated = isPaid ? UNSHARED : byAmount
  const wanted = { mode, amountOut: amounts.amountOut, limits, terms, rate }
  const suggestions = suggestAmounts(wanted, state)
  const cost = depositCost(market.pool.lamportsPerByte, market.priceStep)
  const isNative = source.listing.kind === 'native'
  return {
    privacy: {
      anonymitySet: stated.anonymitySet,
      windowSeconds: delays.maxDelaySeconds,
      suggestedAmounts: suggestions.map(({ amount: suggested }) => suggested),
    },
    linkProbability: chanceText(stated.linkProbability),
    waitingHelps: stated.waitingHelps,
    recipientPaidBefore: isPaidBefore,
    byAmount: isPaid ? shownOf(byAmount) : undefined,
    suggestions,
    rate: source === destination ? undefined : rateText(rate),
    senderMustHold: {
      native: `${isNative ? cost + amounts.amountIn : cost}`,
      source: `${amounts.amountIn}`,
    },
  }
}

const shownOf = ({ anonymitySet, linkProbability, waitingHelps }: QuoteStatement) => ({
  ...{ anonymitySet, linkProbability: chanceText(linkProbability), waitingHelps },
})

const RATE_DIGITS = 12

/** Formats a rate as a decimal number, cut off after twelve digits. The zeros of a rate below 1 don't count. */
export function rateText({ numerator, denominator }: Ratio): string {
  const zeros = numerator < denominator ? `${denominator / numerator}`.length - 1 : 0
  const digits = RATE_DIGITS + zeros
  return showDecimal((numerator * 10n ** BigInt(digits)) / denominator, digits)
}
