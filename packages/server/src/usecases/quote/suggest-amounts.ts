import { amount, type Amount } from '@sotto/protocol'
import type { Suggestion } from '@sotto/contract'
import { amountsOf, leastInput, type FeeTerms, type Ratio } from '../../domain/fees.ts'
import type { Limits, Mode } from '../../domain/limits.ts'
import { figuresAround } from '../../domain/series.ts'
import { chanceText } from '../../domain/state-quote.ts'
import type { PrivacyStatement } from '../../domain/privacy-statement.ts'

/** Number of figures above the requested amount, and below it. */
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

/** Another amount that a request in the same mode may name. */
export interface OtherAmount {
  readonly amount: Amount
  /** A figure of the series. */
  readonly amountOut: Amount
  /** The value of the note. */
  readonly value: Amount
}

/**
 * The amounts whose payouts are the nearest figures of the series, in ascending order. An amount beyond the limits is
 * left out, and so is a figure that no input pays out. At the same rate and fees, a request for one of the amounts pays
 * out exactly its figure.
 */
export function amountsAround({
  mode,
  amountOut,
  limits,
  terms,
  rate,
}: QuotedAmounts): OtherAmount[] {
  return figuresAround(amountOut, SIDE).flatMap((figure) => {
    const input = leastInput(figure, terms, rate)
    const asked = mode === 'exact_in' ? input : figure
    if (asked < limits.min || asked > limits.max) return []
    const amounts = amountsOf(input, terms, rate)
    if (amounts?.amountOut !== figure) return []
    return [{ amount: amount(asked), amountOut: amounts.amountOut, value: amounts.value }]
  })
}

/** The same amounts with their privacy, for an answer. `state` returns the privacy of a note of a given value. */
export function suggestAmounts(
  quoted: QuotedAmounts,
  state: (value: Amount) => PrivacyStatement,
): Suggestion[] {
  return amountsAround(quoted).map(({ amount, amountOut, value }) => {
    const { anonymitySet, linkProbability } = state(value)
    return {
      ...{ amount: `${amount}`, amountOut: `${amountOut}`, anonymitySet },
      linkProbability: chanceText(linkProbability),
    }
  })
}
