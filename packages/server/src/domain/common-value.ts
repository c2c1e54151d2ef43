import type { Address, Amount } from '@sotto/protocol'
import type { DelayLaw, Delays } from './delivery-schedule.ts'
import type { ObservedMarket } from './observed-market.ts'
import { stateQuote, type QuoteStatement } from './state-quote.ts'

/**
 * A value is common if waiting deposits of this value come from at least this many wallets. A value that only one
 * wallet deposited would identify that wallet.
 */
const COMMON_WALLETS = 2

/** A value, and the privacy of a transfer of this value that is made now. */
export interface CommonValue {
  readonly value: Amount
  readonly stated: QuoteStatement
}

/**
 * Finds the common value with the best privacy now, for a sender who has no deposit in the pool. Returns undefined if
 * no common value hides such a sender at all. For example, without delays, each delivery's time alone shows from which
 * deposit the delivery comes. Leaves out values for which `canBeSent` is false, because no new send has such a value.
 */
export function mostCommonValue(
  observed: ObservedMarket,
  mint: Address,
  law: DelayLaw,
  delays: Delays,
  canBeSent: (value: Amount) => boolean,
): CommonValue | undefined {
  let best: CommonValue | undefined
  for (const value of observed.valuesOf(mint)) {
    const wallets = new Set(observed.pending(mint, value).map(({ wallet }) => wallet))
    if (wallets.size < COMMON_WALLETS || !canBeSent(value)) continue
    const stated = stateQuote(observed, law, { mint, value, sender: undefined, delays })
    if (stated.linkProbability >= (best?.stated.linkProbability ?? 1)) continue
    best = { value, stated }
  }
  return best
}
