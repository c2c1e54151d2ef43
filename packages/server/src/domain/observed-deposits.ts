import type { Address } from '@sotto/protocol'
import type { DelayPolicy } from './delivery-schedule.ts'

/** A deposit or a settlement of one value, as the chain shows it. Times are seconds since 1970. */
export type PublicEvent =
  | { readonly kind: 'deposit'; readonly atSeconds: number; readonly wallet: Address }
  | { readonly kind: 'settlement'; readonly atSeconds: number }

/**
 * The number of deposits of a value in an earlier period, and the number of settlements of the same value in that
 * period.
 */
export interface Habit {
  readonly deposits: number
  readonly settlements: number
}

/** A deposit that may belong to an undelivered transfer, from the point of view of an observer. */
export interface PendingDeposit {
  readonly wallet: Address
  readonly atSeconds: number
  /** The probability that the deposit belongs to an undelivered transfer, computed from public data. */
  readonly chance: number
  /**
   * If the deposit belongs to an undelivered transfer: the probability that this transfer stays undelivered until the
   * deposit of a new quote lands.
   */
  readonly isKept: number
}

/**
 * This number of imaginary top-ups and the same number of imaginary transfers are added to the deposits of each value.
 */
const PRIOR = 1
/** A deposit with a probability of at most this number isn't counted any more. */
const LEAST_CHANCE = 0.01

/** Seconds from a quote to the finality of its deposit. Other deposits may be delivered in this time. */
const DEPOSIT_SECONDS = 45
/**
 * Maximum number of deposits and settlements of a value that are used: the newest ones. Some of these settlements may
 * belong to older deposits.
 */
const EVENTS_MAX = 2_000

/**
 * The distribution of usual delays: the delays that the service draws for transfers that don't ask for a delay of their
 * own.
 */
export type UsualDelay = Omit<DelayPolicy, 'windowSeconds'>

interface Tracked {
  readonly wallet: Address
  readonly atSeconds: number
  /** The probability that no settlement so far came from this deposit. */
  readonly isLeft: number
}

/** The share of usual delays that are longer than `age` seconds. No usual delay is longer than the maximum. */
function shareLonger({ minDelaySeconds, meanSeconds, maxDelaySeconds }: UsualDelay, age: number) {
  const [after, width] = [age - minDelaySeconds, maxDelaySeconds - minDelaySeconds]
  if (after >= width) return 0
  if (after <= 0) return 1
  const beyond = Math.exp(-width / meanSeconds)
  return (Math.exp(-after / meanSeconds) - beyond) / (1 - beyond)
}

/**
 * The deposits of one value whose transfers may still be undelivered at `nowSeconds`. All inputs are deposits and
 * settlements that the chain shows, so the result reveals only public facts. It doesn't reveal which deposit a
 * settlement came from, or which deposit is a balance's top-up.
 *
 * Initially, the probability that a deposit belongs to a transfer equals the share of transfers among earlier deposits
 * of this value. Every transfer is assumed to have a usual delay. So each second without a delivery makes it likelier
 * that the deposit is a top-up. Each settlement is assumed to come from one of the waiting deposits: the higher a
 * deposit's probability, the more likely the settlement came from it. So each settlement lowers the probabilities of
 * the waiting deposits. If the settlement came from a balance instead, too few waiting deposits are counted, and
 * privacy is understated. This error is on the safe side.
 */
export function pendingDeposits(
  events: readonly PublicEvent[],
  habit: Habit,
  usual: UsualDelay,
  nowSeconds: number,
): PendingDeposit[] {
  const settlements = Math.min(habit.settlements, habit.deposits)
  const odds = (PRIOR + settlements) / (PRIOR + habit.deposits - settlements)
  const chanceOf = ({ atSeconds, isLeft }: Tracked, seconds: number): number => {
    const left = odds * shareLonger(usual, seconds - atSeconds)
    return (isLeft * left) / (1 + left)
  }
  let tracked: Tracked[] = []
  for (const event of newestInOrder(events)) {
    if (event.kind === 'deposit') {
      const { wallet, atSeconds } = event
      tracked.push({ wallet, atSeconds, isLeft: 1 })
      continue
    }
    const waiting = tracked
      .map((one) => ({ one, chance: chanceOf(one, event.atSeconds) }))
      .filter(({ chance }) => chance > LEAST_CHANCE)
    const sum = waiting.reduce((total, { chance }) => total + chance, 0)
    tracked = waiting.map(({ one, chance }) => ({
      ...one,
      isLeft: Math.max(0, one.isLeft - chance / sum),
    }))
  }
  return tracked.flatMap((one) => {
    const { wallet, atSeconds } = one
    const chance = chanceOf(one, nowSeconds)
    if (chance <= LEAST_CHANCE) return []
    const age = nowSeconds - atSeconds
    const isKept = shareLonger(usual, age + DEPOSIT_SECONDS) / shareLonger(usual, age)
    return [{ wallet, atSeconds, chance, isKept }]
  })
}

/**
 * The newest events in the order of their times. A settlement in the same second as a deposit must have come from an
 * earlier deposit, so it is sorted before that deposit.
 */
function newestInOrder(events: readonly PublicEvent[]): PublicEvent[] {
  return [...events]
    .sort(
      (left, right) =>
        left.atSeconds - right.atSeconds ||
        (left.kind === 'settlement' ? 0 : 1) - (right.kind === 'settlement' ? 0 : 1),
    )
    .slice(-EVENTS_MAX)
}
