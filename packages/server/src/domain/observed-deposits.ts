import type { Address } from '@sotto/protocol'

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
}

/** The shares of top-ups and of transfers among deposits of a value, before any were seen: equal, in two deposits. */
const PRIOR = 1
/** Below this chance a deposit doesn't count any more. */
const LEAST_CHANCE = 0.01

interface Tracked {
  readonly wallet: Address
  readonly atSeconds: number
  /** The chance that it is a transfer, if it isn't settled yet. */
  readonly isTransfer: number
  /** The chance that no settlement came from it so far. */
  readonly isLeft: number
}

const chanceOf = ({ isTransfer, isLeft }: Tracked): number => isTransfer * isLeft

/** Whatever waits longer for a delivery is likelier to be a top-up. */
function waited(tracked: readonly Tracked[], seconds: number, meanSeconds: number): Tracked[] {
  const kept = Math.exp(-seconds / meanSeconds)
  return tracked
    .map((one) => {
      const { isTransfer } = one
      return { ...one, isTransfer: (isTransfer * kept) / (isTransfer * kept + 1 - isTransfer) }
    })
    .filter((one) => chanceOf(one) > LEAST_CHANCE)
}

/** A settlement takes one deposit away, each in proportion to its chance. */
function settled(tracked: readonly Tracked[]): Tracked[] {
  const sum = tracked.reduce((total, one) => total + chanceOf(one), 0)
  return tracked.map((one) => ({ ...one, isLeft: Math.max(0, one.isLeft - chanceOf(one) / sum) }))
}

/**
 * The deposits of one value that may still be waiting for their delivery, at `nowSeconds`. Everything comes from
 * deposits and settlements that the chain shows, so that the answer reveals nothing that the chain doesn't: neither
 * which deposit a settlement came from, nor which deposit is a balance's top-up.
 *
 * A deposit is a transfer with the chance that earlier deposits of this value have turned out to be one. It then waits
 * for a delivery, whose chance per second is 1 / `meanSeconds`. Each second without one makes it likelier that the
 * deposit is a top-up. A settlement came from one of the waiting deposits, and leaves one fewer. It may have come from a
 * balance instead; then too few are counted.
 */
export function pendingDeposits(
  events: readonly PublicEvent[],
  habit: Habit,
  meanSeconds: number,
  nowSeconds: number,
): PendingDeposit[] {
  const isTransfer =
    (PRIOR + Math.min(habit.settlements, habit.deposits)) / (2 * PRIOR + habit.deposits)
  let tracked: Tracked[] = []
  let lastSeconds = -Infinity
  const waitUntil = (seconds: number): void => {
    tracked = waited(tracked, Math.max(0, seconds - lastSeconds), meanSeconds)
    lastSeconds = seconds
  }
  // A settlement in the second of a deposit came from an earlier one.
  const inOrder = [...events].sort(
    (left, right) =>
      left.atSeconds - right.atSeconds ||
      (left.kind === 'settlement' ? 0 : 1) - (right.kind === 'settlement' ? 0 : 1),
  )
  for (const event of inOrder) {
    waitUntil(event.atSeconds)
    if (event.kind === 'settlement') tracked = settled(tracked)
    else {
      const { wallet, atSeconds } = event
      tracked.push({ wallet, atSeconds, isTransfer, isLeft: 1 })
    }
  }
  waitUntil(nowSeconds)
  return tracked.map((one) => ({
    ...{ wallet: one.wallet, atSeconds: one.atSeconds, chance: chanceOf(one) },
  }))
}
