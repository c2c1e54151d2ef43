import type { Address } from '@sotto/protocol'
import { truncatedMeanSeconds, type DelayLaw, type Delays } from './delivery-schedule.ts'
import type { PendingDeposit } from './observed-deposits.ts'

/** A quote's statement about the privacy of its transfer. */
export interface PrivacyStatement {
  /**
   * 1 plus the number of other wallets whose deposits an observer can't distinguish from this transfer's deposit. The
   * true number is almost certainly at least as large. Wallets that are less likely than the sender count only in part.
   */
  readonly anonymitySet: number
  /** The chance that the observer guesses the sender's wallet; 1 if no other deposit is possible. */
  readonly linkProbability: number
}

/**
 * The worst case: no other wallet could have paid. This is the statement of every payment out of a balance. The privacy
 * of a payment depends on how long the balance was unused, and the service doesn't measure that time.
 */
export const ALONE: PrivacyStatement = { anonymitySet: 1, linkProbability: 1 }

/** The quoted transfer. */
export interface QuotedTransfer {
  readonly sender: Address
  /** The weight of another deposit relative to this transfer's own deposit, from 0 to 1: see `weightOf`. */
  readonly weight: number
  /**
   * True if the transfer's own deposit has landed and is among the pending deposits. The statement is then about the
   * current moment. Otherwise it is about the moment at which the deposit will land.
   */
  readonly isDeposited: boolean
  /**
   * The number of the sender's undelivered transfers of this value, if it is known. Deposits of these transfers may be
   * missing from the pending deposits.
   */
  readonly ownLeast?: number | undefined
}

/**
 * The accepted chance that fewer wallets than stated are still waiting when the deposit lands. Deposits that land
 * during the delay hide the transfer too, and aren't counted. They add far more wallets than may be missing:
 * docs/privacy.md has the numbers.
 */
const RISK = 0.05
/**
 * Maximum number of wallets that are counted, the most likely wallets first. It limits the computing time of a quote.
 */
const WALLETS_MAX = 256
/** Chances are stated in thousandths, rounded up. */
const DIGITS = 1_000

/**
 * Computes how well a transfer will be hidden by other deposits of its value whose transfers haven't been delivered.
 * All deposits of one wallet count as one deposit, and the sender's own deposits hide nothing. Each other deposit
 * counts only with the probability that its transfer is still undelivered when the quoted transfer's deposit lands.
 * Later deposits don't count. The delays determine how well another deposit hides this transfer: see `weightOf`. The
 * same rule decides whether the crowd of a waiting transfer is complete.
 */
export function statePrivacy(
  pending: readonly PendingDeposit[],
  { sender, weight, isDeposited, ownLeast = 1 }: QuotedTransfer,
): PrivacyStatement {
  const absent = new Map<Address, number>()
  let own = isDeposited ? 0 : 1
  for (const { wallet, chance, isKept } of pending) {
    if (wallet === sender) own += chance
    else absent.set(wallet, (absent.get(wallet) ?? 1) * (1 - chance * (isDeposited ? 1 : isKept)))
  }
  own = Math.max(own, 1, ownLeast)
  const chances = [...absent.values()].map((none) => 1 - none)
  const counts = countDistribution(
    chances.sort((left, right) => right - left).slice(0, WALLETS_MAX),
  )
  return {
    anonymitySet: setOf(own, surely(counts), weight),
    linkProbability: roundUp(
      counts.reduce((sum, chance, others) => sum + (chance * own) / (own + others * weight), 0),
    ),
  }
}

/**
 * The weight of another deposit for a transfer with these delays, from 0 to 1. The narrower the transfer's window is,
 * the more precisely the time of the delivery identifies the transfer. The minimum delay doesn't change this. If the
 * usual window has no width, no deposit hides another deposit.
 */
export function weightOf(law: DelayLaw, { minDelaySeconds, maxDelaySeconds }: Delays): number {
  const spreadOf = (width: number) =>
    truncatedMeanSeconds(law, { minDelaySeconds: 0, maxDelaySeconds: width })
  const usual = spreadOf(law.spreadSeconds)
  return usual === 0 ? 0 : Math.min(1, spreadOf(maxDelaySeconds - minDelaySeconds) / usual)
}

/** The highest `anonymitySet` that a transfer of this weight can have, for any number of other waiting wallets. */
export const anonymitySetMax = (weight: number): number => setOf(1, WALLETS_MAX, weight)

/** The probability of each number of waiting wallets, computed from the probability of each wallet. */
function countDistribution(chances: readonly number[]): number[] {
  let counts = [1]
  for (const chance of chances) {
    const next = new Array<number>(counts.length + 1).fill(0)
    for (const [count, share] of counts.entries()) {
      next[count] = (next[count] ?? 0) + share * (1 - chance)
      next[count + 1] = (next[count + 1] ?? 0) + share * chance
    }
    counts = next
  }
  return counts
}

/**
 * The number of waiting wallets that a statement may promise: the probability that fewer wallets wait is at most
 * `RISK`.
 */
function surely(counts: readonly number[]): number {
  let below = 0
  for (const [count, chance] of counts.entries()) {
    below += chance
    if (below > RISK) return count
  }
  return counts.length - 1
}

/**
 * The observer guesses the sender with some chance. Returns the number of equally likely wallets that would give this
 * chance, rounded down. The sender has the weight `own`. Each of the `others` other wallets has the weight `weight`.
 * The entropy isn't used, because it would overstate the privacy: 40 unlikely wallets would count as many wallets, even
 * if the observer guesses the sender with a chance of one half.
 */
const setOf = (own: number, others: number, weight: number): number =>
  Math.floor(1 + (others * weight) / own)

const roundUp = (chance: number): number => Math.min(1, Math.ceil(chance * DIGITS) / DIGITS)
