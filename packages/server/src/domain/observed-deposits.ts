import type { Address } from '@sotto/protocol'
import type { DelayPolicy } from './delivery-schedule.ts'

/** A deposit or a settlement of one value, as the chain shows it. Times are seconds since 1970. */
export type PublicEvent =
  | { readonly kind: 'deposit'; readonly atSeconds: number; readonly wallet: Address }
  | { readonly kind: 'settlement'; readonly atSeconds: number }

/** How often deposits of a value were settled whole, in an earlier time. */
export interface Habit {
  readonly deposits: number
  readonly settlements: number
}

/** A deposit that an observer takes for a transfer that isn't delivered yet. */
export interface PendingDeposit {
  readonly wallet: Address
  readonly atSeconds: number
  /** The chance that it is one, by what the chain shows. */
  readonly chance: number
  /** The chance that it is still waiting, if it is one, when the deposit of a quote made now lands. */
  readonly isKept: number
}

/** The shares of top-ups and of transfers among deposits of a value, before any were seen: equal, in two deposits. */
const PRIOR = 1
/** Below this chance a deposit doesn't count any more. */
const LEAST_CHANCE = 0.01

/** Seconds from a quote to its deposit in a finalized block. Others may be delivered meanwhile. */
const DEPOSIT_SECONDS = 45
/** Of more deposits and settlements of a value, the newest count. Their settlements may count for older deposits. */
const EVENTS_MAX = 2_000

/** The law of the usual delays. */
export type UsualDelay = Omit<DelayPolicy, 'windowSeconds'>

interface Tracked {
  readonly wallet: Address
  readonly atSeconds: number
  /** The chance that no settlement came from it so far. */
  readonly isLeft: number
}

/** The share of usual delays that are longer than this: none is longer than the maximum. */
function shareLonger({ minDelaySeconds, meanSeconds, maxDelaySeconds }: UsualDelay, age: number) {
  const [after, width] = [age - minDelaySeconds, maxDelaySeconds - minDelaySeconds]
  if (after >= width) return 0
  if (after <= 0) return 1
  const beyond = Math.exp(-width / meanSeconds)
  return (Math.exp(-after / meanSeconds) - beyond) / (1 - beyond)
}

/**
 * The deposits of one value that may still be waiting for their delivery, at `nowSeconds`. Everything comes from
 * deposits and settlements that the chain shows, so that the answer reveals nothing that the chain doesn't: neither
 * which deposit a settlement came from, nor which deposit is a balance's top-up.
 *
 * A deposit is a transfer with the chance that earlier deposits of this value have turned out to be one. It then waits
 * for a delivery for as long as the usual delays let it. Each second without one makes it likelier that the deposit is
 * a top-up. A settlement came from one of the waiting deposits, each in proportion to its chance, and leaves one fewer.
 * It may have come from a balance instead; then too few are counted.
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

/** A settlement in the second of a deposit came from an earlier one. */
function newestInOrder(events: readonly PublicEvent[]): PublicEvent[] {
  return [...events]
    .sort(
      (left, right) =>
        left.atSeconds - right.atSeconds ||
        (left.kind === 'settlement' ? 0 : 1) - (right.kind === 'settlement' ? 0 : 1),
    )
    .slice(-EVENTS_MAX)
}
