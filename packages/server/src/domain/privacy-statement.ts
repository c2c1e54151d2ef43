import type { Address } from '@sotto/protocol'
import { truncatedMeanSeconds, type DelayLaw, type Delays } from './delivery-schedule.ts'
import type { PendingDeposit } from './observed-deposits.ts'

/** What a quote states about the privacy of its transfer. */
export interface PrivacyStatement {
  /** 1, and the other wallets whose deposits an observer can't tell from this one; all but certainly no fewer. */
  readonly anonymitySet: number
  /** The chance that the observer gives to the sender's wallet; 1 if no other deposit comes into question. */
  readonly linkProbability: number
}

/** The transfer that a quote is for. */
export interface QuotedTransfer {
  readonly sender: Address
  /** How much another deposit counts beside this one, from 0 to 1: see `weightOf`. */
  readonly weight: number
  /** True if its own deposit is among the pending ones. */
  readonly isDeposited: boolean
}

/**
 * The chance that fewer wallets than stated are still waiting when the deposit lands. Those that come later aren't counted,
 * and make up for it many times over: docs/privacy.md has the figures.
 */
const RISK = 0.05
/** The wallets that are counted at most, the likeliest first. It bounds the time of a quote. */
const WALLETS_MAX = 256
/**
 * The perplexity is computed with logarithms, which gives 2.9999999999999996 for three equal wallets. Before it is rounded
 * down, it is raised by this share: far more than such an error (at most 1e-14), and far too little to state a wallet that
 * isn't there.
 */
const TOLERANCE = 1e-9
/** Chances are stated in thousandths, rounded up. */
const DIGITS = 1_000

/**
 * States how well a transfer will be hidden, by the deposits of its value that are still waiting. Deposits of one wallet
 * count once, and the sender's own ones count for the sender. A deposit that is delivered before this one lands doesn't
 * count, and neither does one that comes later. Whether another deposit hides this one depends on the delays: see
 * `weightOf`.
 */
export function statePrivacy(
  pending: readonly PendingDeposit[],
  { sender, weight, isDeposited }: QuotedTransfer,
): PrivacyStatement {
  const absent = new Map<Address, number>()
  let own = isDeposited ? 0 : 1
  for (const { wallet, chance, isKept } of pending) {
    if (wallet === sender) own += chance
    else absent.set(wallet, (absent.get(wallet) ?? 1) * (1 - chance * isKept))
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
 * How much another deposit counts for a transfer with these delays. The narrower its window, the more certainly does
 * the time of its delivery name it, however long its least delay is. If all usual delays are equal, no deposit hides
 * another.
 */
export function weightOf(law: DelayLaw, { minDelaySeconds, maxDelaySeconds }: Delays): number {
  const spreadOf = (width: number) =>
    truncatedMeanSeconds(law, { minDelaySeconds: 0, maxDelaySeconds: width })
  const usual = spreadOf(law.spreadSeconds)
  return usual === 0 ? 0 : Math.min(1, spreadOf(maxDelaySeconds - minDelaySeconds) / usual)
}

/** The chance of each number of wallets that are there, given the chance of each wallet. */
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

/** The number of wallets that is there with all but the accepted risk. */
function surely(counts: readonly number[]): number {
  let below = 0
  for (const [count, chance] of counts.entries()) {
    below += chance
    if (below > RISK) return count
  }
  return counts.length - 1
}

/** How many equally likely wallets leave the observer as uncertain as the sender and some others of a smaller weight. */
function perplexity(own: number, others: number, weight: number): number {
  const sum = own + others * weight
  const term = (part: number) => (part === 0 ? 0 : -(part / sum) * Math.log(part / sum))
  return Math.exp(term(own) + others * term(weight))
}

const roundUp = (chance: number): number => Math.min(1, Math.ceil(chance * DIGITS) / DIGITS)
