import type { Address, Amount } from '@sotto/protocol'
import { mayMissCrowd, type CrowdWish } from './crowd.ts'
import { truncatedMeanSeconds, type DelayLaw, type Delays } from './delivery-schedule.ts'
import type { PendingDeposit } from './observed-deposits.ts'
import type { ObservedMarket } from './observed-market.ts'
import { ALONE, statePrivacy, weightOf, type PrivacyStatement } from './privacy-statement.ts'

/** A transfer whose privacy is stated. */
export interface StatedTransfer {
  readonly mint: Address
  /** The value of the transfer's note: payout and fee, in base units. */
  readonly value: Amount
  /** The sender's wallet. Undefined for a sender that hasn't deposited anything yet. */
  readonly sender: Address | undefined
  readonly delays: Delays
  /** True if the transfer's own deposit is on the chain. */
  readonly isDeposited?: boolean
  /** The number of the sender's undelivered transfers of this value; undefined if it is unknown. */
  readonly ownLeast?: number | undefined
  /** The crowd that the transfer waits for. */
  readonly crowd?: CrowdWish | undefined
}

export interface QuoteStatement extends PrivacyStatement {
  /**
   * True if a longer delay gives more privacy. False if there are almost certainly no other deposits of this value, or
   * for a recipient that was paid before, or for the sender's own wallet.
   */
  readonly waitingHelps: boolean
}

/** If fewer other deposits than this number are expected during a delay, there is almost certainly no other deposit. */
const OTHERS_LEAST = 0.05

/** Computes how well a transfer that is made now is hidden among the deposits that the chain shows. */
export function stateQuote(
  observed: ObservedMarket,
  law: DelayLaw,
  { mint, value, sender, delays, isDeposited = false, ownLeast = 1, crowd }: StatedTransfer,
): QuoteStatement {
  const own = sender ?? NOBODY
  const waiting = observed.waiting(mint, value)
  const others = observed.othersPerSecond(mint, value, own, law.spreadSeconds)
  // Nearly every value is sent by only one wallet, and each quote needs statements for five values. So this case must
  // be fast.
  if (waiting.size === 0 && others === 0) return UNSHARED
  const pending = observed.pending(mint, value)
  const weight = weightOf(law, delays)
  const isWaiting = waiting.has(own)
  const isOwn = isWaiting || ownLeast > 1
  const stated = isOwn
    ? statePrivacy(pending, { sender: own, weight, isDeposited, ownLeast })
    : stateForStranger(pending, weight, isDeposited)
  const ownMeanSeconds = truncatedMeanSeconds(law, delays)
  const isJoined = others * Math.max(ownMeanSeconds, law.meanSeconds) >= OTHERS_LEAST
  const linkProbability = mayMissCrowd(crowd, stated.anonymitySet) ? 1 : stated.linkProbability
  return {
    ...stated,
    linkProbability,
    waitingHelps: isJoined || waiting.size > (isWaiting ? 1 : 0),
  }
}

const NOBODY = '' as Address
/**
 * This statement applies in three cases: no other wallet sends the amount now or has sent it in the observed hours, or
 * the recipient is the sender's own wallet, or the pool has paid the recipient before. If the sender made an earlier
 * payment to the recipient, anyone can link both payments.
 */
export const UNSHARED: QuoteStatement = { ...ALONE, waitingHelps: false }

/** Cached statements, keyed by the list of pending deposits, and then by `isDeposited` and weight. */
const forStrangers = new WeakMap<readonly PendingDeposit[], Map<string, PrivacyStatement>>()

/**
 * The statement for a sender whose wallet made none of the pending deposits. It is the same for all such senders, so it
 * is cached: the computation takes milliseconds for a large anonymity set, and a quote needs one statement for each
 * suggestion. `isDeposited` can be true here. A transfer that waits for its crowd may have a deposit that is older than
 * every usual delay. Such a deposit no longer counts as pending.
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

/** A probability between 0 and 1 as a decimal number. */
export const chanceText = (chance: number): string => `${chance}`
