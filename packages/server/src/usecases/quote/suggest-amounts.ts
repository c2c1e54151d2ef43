import type { Amount } from '@sotto/protocol'
import type { Suggestion } from '@sotto/contract'
import type { FeeTerms, Ratio } from '../../domain/fees.ts'
import type { Limits, Mode } from '../../domain/limits.ts'
import { figuresAround } from '../../domain/series.ts'
import { chanceText } from '../../domain/state-quote.ts'
import type { PrivacyStatement } from '../../domain/privacy-statement.ts'
import { payableFigures, type PayableAmount } from './payable-figures.ts'

/** Number of suggested figures on each side of the requested amount. */
const SIDE = 2

/** A priced transfer or payment. */
export interface QuotedAmounts {
  readonly mode: Mode
  readonly amountOut: Amount
  /** The bounds of the request's `amount`. */
  readonly limits: Limits
  readonly terms: FeeTerms
  readonly rate: Ratio
}

/**
 * The amounts whose payouts are the nearest figures of the series (series.ts), in ascending order. Amounts beyond the
 * limits are left out, and so are figures that no input pays out. At the same rate and fees, a request for one of these
 * amounts pays out exactly its figure.
 */
export function amountsAround({
  mode,
  amountOut,
  limits,
  terms,
  rate,
}: QuotedAmounts): PayableAmount[] {
  const payable = payableFigures(terms, rate)
  const around: PayableAmount[] = []
  for (const figure of figuresAround(amountOut, SIDE)) {
    const other = payable.amountOf(figure, mode)
    const isWithin = other !== undefined && other.amount >= limits.min && other.amount <= limits.max
    if (isWithin) around.push(other)
  }
  return around
}

/**
 * Returns the suggested amounts with their privacy, for a response. `state` returns the privacy of a note of a given
 * value.
 */
export function suggestAmounts(
  quoted: QuotedAmounts,
  state: (value: Amount) => PrivacyStatement,
): Suggestion[] {
  return amountsAround(quoted).map(({ amountText, amountOutText, value }) => {
    const { anonymitySet, linkProbability } = state(value)
    return {
      amount: amountText,
      amountOut: amountOutText,
      anonymitySet,
      linkProbability: chanceText(linkProbability),
    }
  })
}
