import { amount, type Amount } from '@sotto/protocol'
import { amountsOf, leastInput, type FeeTerms, type Ratio } from '../../domain/fees.ts'
import type { Mode } from '../../domain/limits.ts'
import { makeRoom } from '../../running/shared-answer.ts'

/** An amount that a request may name in one mode, with the texts for a response. */
export interface PayableAmount {
  readonly amount: Amount
  readonly amountText: string
  /** A figure of the series of round payouts: see series.ts. */
  readonly amountOut: Amount
  readonly amountOutText: string
  /** The value of the note. */
  readonly value: Amount
}

type ByMode = Readonly<Record<Mode, PayableAmount>>

/**
 * The amounts that pay out the figures of the series, at fixed fees and a fixed rate. The amounts depend on nothing
 * else, so they never become out of date.
 */
class PayableFigures {
  readonly #terms: FeeTerms
  readonly #rate: Ratio
  readonly #known = new Map<Amount, ByMode | 'none'>()

  constructor(terms: FeeTerms, rate: Ratio) {
    this.#terms = terms
    this.#rate = rate
  }

  /** The amount whose payout is `figure`; undefined if no input pays out exactly this figure. */
  amountOf(figure: Amount, mode: Mode): PayableAmount | undefined {
    let payable = this.#known.get(figure)
    if (payable === undefined) {
      payable = this.#compute(figure)
      this.#known.set(figure, payable)
    }
    return payable === 'none' ? undefined : payable[mode]
  }

  #compute(figure: Amount): ByMode | 'none' {
    const input = leastInput(figure, this.#terms, this.#rate)
    const amounts = amountsOf(input, this.#terms, this.#rate)
    if (amounts?.amountOut !== figure) return 'none'
    const named = (asked: bigint): PayableAmount => ({
      ...{ amount: amount(asked), amountText: `${asked}`, value: amounts.value },
      ...{ amountOut: figure, amountOutText: `${figure}` },
    })
    return { exact_in: named(input), exact_out: named(figure) }
  }
}

const kept = new Map<string, PayableFigures>()
/**
 * Maximum number of cached objects, which limits memory to a few megabytes. Fees rarely change, but each new price of a
 * swap is another rate.
 */
const KEPT_MAX = 100

/**
 * Returns the payable figures at these fees and this rate. The figures are cached, because each quote suggests four of
 * them, and computing four takes longer than pricing the quote.
 */
export function payableFigures(terms: FeeTerms, rate: Ratio): PayableFigures {
  const { serviceBps, networkFee, feeBps } = terms
  const key = `${serviceBps} ${networkFee} ${feeBps} ${rate.numerator} ${rate.denominator}`
  let figures = kept.get(key)
  if (figures === undefined) {
    makeRoom(kept, KEPT_MAX)
    figures = new PayableFigures({ serviceBps, networkFee, feeBps }, rate)
    kept.set(key, figures)
  }
  return figures
}
