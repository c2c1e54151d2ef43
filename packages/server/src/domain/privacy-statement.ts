import type { Address } from '@sotto/protocol'
import { truncatedMeanSeconds, type DelayLaw, type Delays } from './delivery-schedule.ts'
import type { PendingDeposit } from './observed-deposits.ts'

/** The statement of a quote about the privacy of its transfer. */
export interface PrivacyStatement {
  /**
   * 1 plus the number of other wallets whose deposits an observer can't distinguish from this one. The true number is
   * almost certainly not smaller.
   */
  readonly anonymitySet: number
  /** The chance with which the observer guesses the sender's wallet; 1 if there is no other possible deposit. */
  readonly linkProbability: number
}

/** The quoted transfer. */
export interface QuotedTransfer {
  readonly sender: Address
  /** The weight of another deposit compared with this one, from 0 to 1: see `weightOf`. */
  readonly weight: number
  /**
   * True if the transfer's own deposit has landed and is among the pending ones. The statement then holds for now.
   * Otherwise it holds for the moment at which the deposit will land.
   */
  readonly isDeposited: boolean
}

/**
 * The accepted chance that the statement is too large: that fewer wallets than stated still wait when the deposit
 * lands. Deposits that come during the delay add far more wallets than this risk takes away: docs/privacy.md has the
 * figures.
 */
const RISK = 0.05
/** Maximum number of wallets that are counted, the likeliest first. This bounds the time of a quote. */
const WALLETS_MAX = 256
/**
 * The perplexity is computed with logarithms, which gives 2.9999999999999996 for three equal wallets. Before the
 * perplexity is rounded down, it is raised by this share. The share is far more than such an error (at most 1e-14), and
 * far too little to add a wallet.
 */
const TOLERANCE = 1e-9
/** Chances are stated in thousandths, rounded up. */
const DIGITS = 1_000

/**
 * States how well a transfer will be hidden by the deposits of its value whose transfers aren't delivered yet. All
 * deposits of one wallet count as one, and the sender's own deposits hide nothing. Deposits that are probably delivered
 * before this one lands don't count, and neither do deposits after this one. The delays determine how well another
 * deposit hides this one: see `weightOf`. The same rule decides whether the crowd of a waiting transfer has come.
 */
export function statePrivacy(
  pending: readonly PendingDeposit[],
  { sender, weight, isDeposited }: QuotedTransfer,
): PrivacyStatement {
  const absent = new Map<Address, number>()
  let own = isDeposited ? 0 : 1
  for (const { wallet, chance, isKept } of pending) {
    if (wallet === sender) own += chance
    else absent.set(wallet, (absent.get(wallet) ?? 1) * (1 - chance * (isDeposited ? 1 : isKept)))
  }
  own = Math.max(own, 1)
  const chances = [...absent.values()].map((none) => 1 - none)
  const counts = countDistribution(
    chances.sort((left, right) => right - left).slice(0, WALLETS_MAX),
  )
  return {
    anonymitySet: Math.max(
      1,
      Math.floor(perplexity(own, surely(counts), weight) * (1 + TOLERANCE)),
    ),
    linkProbability: roundUp(
      counts.reduce((sum, chance, others) => sum + (chance * own) / (own + others * weight), 0),
    ),
  }
}

/**
 * The weight of another deposit for a transfer with these delays, from 0 to 1. The narrower the transfer's window is,
 * the more certainly the time of its delivery identifies it, whatever its least delay is. If the usual window has no
 * width, no deposit hides another.
 */
export function weightOf(law: DelayLaw, { minDelaySeconds, maxDelaySeconds }: Delays): number {
  const spreadOf = (width: number) =>
    truncatedMeanSeconds(law, { minDelaySeconds: 0, maxDelaySeconds: width })
  const usual = spreadOf(law.spreadSeconds)
  return usual === 0 ? 0 : Math.min(1, spreadOf(maxDelaySeconds - minDelaySeconds) / usual)
}

/** The greatest `anonymitySet` that a transfer of this weight can have, however many others wait. */
export const anonymitySetMax = (weight: number): number =>
  Math.max(1, Math.floor(perplexity(1, WALLETS_MAX, weight)))

/** The chance of each number of waiting wallets, given the chance of each wallet. */
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

/** The greatest number for which the chance of fewer waiting wallets doesn't exceed the accepted risk. */
function surely(counts: readonly number[]): number {
  let below = 0
  for (const [count, chance] of counts.entries()) {
    below += chance
    if (below > RISK) return count
  }
  return counts.length - 1
}

/**
 * The number of equally likely wallets among which the observer would be as uncertain as among these: the sender, whose
 * weight is `own`, and `others` wallets of the given weight.
 */
function perplexity(own: number, others: number, weight: number): number {
  const sum = own + others * weight
  const term = (part: number) => (part === 0 ? 0 : -(part / sum) * Math.log(part / sum))
  return Math.exp(term(own) + others * term(weight))
}

const roundUp = (chance: number): number => Math.min(1, Math.ceil(chance * DIGITS) / DIGITS)
