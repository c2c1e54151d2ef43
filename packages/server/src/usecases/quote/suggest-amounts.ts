import { amount, type Amount } from '@sotto/protocol'
import type { Suggestion } from '@sotto/contract'
import { amountsOf, leastInput, type FeeTerms, type Ratio } from '../../domain/fees.ts'
import type { Limits, Mode } from '../../domain/limits.ts'
import { figuresAround } from '../../domain/series.ts'
import { chanceText } from '../market/state-quote.ts'
import type { PrivacyStatement } from '../../domain/privacy-statement.ts'

/** Figures on each side of the amount that was asked for. */
const SIDE = 2

/** A transfer or a payment whose amounts are known. */
export interface QuotedAmounts {
  readonly mode: Mode
  readonly amountOut: Amount
  /** The bounds of the request's `amount`. */
  readonly limits: Limits
  readonly terms: FeeTerms
  readonly rate: Ratio
}

/** An amount that a request may ask for instead, in the same mode. */
export interface OtherAmount {
  readonly amount: Amount
  /** A figure of the series. */
  readonly amountOut: Amount
  /** The value of the note. */
  readonly value: Amount
}

/**
 * The amounts whose payouts are the nearest figures of the series, in ascending order. Left out are those beyond the
 * limits, and figures that no input pays out. At the same rate and fees, a request for one pays out exactly its figure.
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

/** The same amounts with their privacy, for an answer. `state` states it for a note of this value. */
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
