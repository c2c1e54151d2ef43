import type { Address, Amount } from '@sotto/protocol'
import { truncatedMeanSeconds, type DelayLaw, type Delays } from './delivery-schedule.ts'
import type { PendingDeposit } from './observed-deposits.ts'
import type { ObservedMarket } from './observed-market.ts'
import { statePrivacy, weightOf, type PrivacyStatement } from './privacy-statement.ts'

/** A transfer whose privacy is stated. */
export interface StatedTransfer {
  readonly mint: Address
  /** The value of the transfer's note: payout and fee, in base units. */
  readonly value: Amount
  /** The sender's wallet; undefined for a sender that has deposited nothing yet. */
  readonly sender: Address | undefined
  readonly delays: Delays
  /** True if the transfer's own deposit is on the chain. */
  readonly isDeposited?: boolean
}

export interface QuoteStatement extends PrivacyStatement {
  /** False if a longer delay gains nothing, because there are no other deposits of this amount. */
  readonly waitingHelps: boolean
}

/** Below this average number of other deposits during a delay, it is all but certain that there is none. */
const OTHERS_LEAST = 0.05

/** States how well a transfer that is made now hides among the deposits that the chain shows. */
export function stateQuote(
  observed: ObservedMarket,
  law: DelayLaw,
  { mint, value, sender, delays, isDeposited = false }: StatedTransfer,
): QuoteStatement {
  const own = sender ?? NOBODY
  const waiting = observed.waiting(mint, value)
  const others = observed.othersPerSecond(mint, value, own, law.spreadSeconds)
  // Nearly every value is one that no other wallet sends, and a quote states five values.
  if (waiting.size === 0 && others === 0) return ALONE
  const pending = observed.pending(mint, value)
  const weight = weightOf(law, delays)
  const isWaiting = waiting.has(own)
  const stated = isWaiting
    ? statePrivacy(pending, { sender: own, weight, isDeposited })
    : stateForStranger(pending, weight, isDeposited)
  const ownMeanSeconds = truncatedMeanSeconds(law, delays)
  const isJoined = others * Math.max(ownMeanSeconds, law.meanSeconds) >= OTHERS_LEAST
  return { ...stated, waitingHelps: isJoined || waiting.size > (isWaiting ? 1 : 0) }
}

const NOBODY = '' as Address
/** The statement for an amount that no other wallet sends, and has not sent for hours. */
const ALONE: QuoteStatement = { anonymitySet: 1, linkProbability: 1, waitingHelps: false }

/** Computed statements, by list of pending deposits, and then by weight and `isDeposited`. */
const forStrangers = new WeakMap<readonly PendingDeposit[], Map<string, PrivacyStatement>>()

/**
 * The statement for a sender whose wallet made none of the pending deposits. All such senders share one statement,
 * because computing it takes milliseconds for a large anonymity set, and a quote needs one for each suggestion.
 * `isDeposited` can be true here: a transfer that waits for its crowd may have a deposit that is older than every usual
 * delay, and so is no longer pending.
 */
function stateForStranger(
  pending: readonly PendingDeposit[],
  weight: number,
  isDeposited: boolean,
): PrivacyStatement {
  const known = forStrangers.get(pending) ?? new Map<string, PrivacyStatement>()
  forStrangers.set(pending, known)
  const key = `${isDeposited} ${weight}`
  const stated = known.get(key) ?? statePrivacy(pending, { sender: NOBODY, weight, isDeposited })
  known.set(key, stated)
  return stated
}

/** A chance between 0 and 1, as the text of a decimal number. */
export const chanceText = (chance: number): string => `${chance}`
