import type { Address, Amount, UnixSeconds } from '@sotto/protocol'
import {
  pendingDeposits,
  type Habit,
  type PendingDeposit,
  type PublicEvent,
  type UsualDelay,
} from './observed-deposits.ts'

/** A settlement as the chain shows it. */
export interface ShownSettlement {
  readonly mint: Address
  /** Payout and fee, in base units. */
  readonly gross: Amount
  readonly payee: Address
  /** The time of the settlement's block, by the chain's clock. */
  readonly unixSeconds: UnixSeconds
}

/**
 * Length in seconds of the earlier period, in which deposits and settlements are only counted by value. The earlier
 * period ends at the start of the recent window. The recent window is as long as the maximum usual delay, and ends now.
 */
export const HABIT_SECONDS = 21_600

/** The recent deposits and settlements of one value, as the chain shows them. */
export interface ShownValue {
  readonly mint: Address
  /** The value of a deposit, or the payout plus the fee of a settlement, in base units. */
  readonly value: Amount
  /** The deposits and settlements of the recent window. */
  readonly events: readonly PublicEvent[]
  /** The numbers of deposits and settlements in the `HABIT_SECONDS` before the recent window. */
  readonly habit: Habit
}

/** The deposits of one value, from the point of view of an observer. */
interface SeenValue {
  readonly pending: readonly PendingDeposit[]
  /** The wallets of `pending`. */
  readonly waiting: ReadonlySet<Address>
  /** The number of each wallet's deposits in the recent window. */
  readonly recentBy: ReadonlyMap<Address, number>
  /** The number of deposits in the recent window and the earlier period together. */
  readonly deposits: number
}

/**
 * The result for a value that the chain hasn't shown recently. Nearly all values have this result, because amounts
 * differ.
 */
const UNSEEN: SeenValue = { pending: [], waiting: new Set(), recentBy: new Map(), deposits: 0 }

/** The deposits that look undelivered to an observer of the chain, at the time of a snapshot of the chain's facts. */
export class ObservedMarket {
  readonly #shown = new Map<Address, Map<Amount, ShownValue>>()
  readonly #seen = new Map<ShownValue, SeenValue>()
  readonly #usual: UsualDelay
  readonly #nowSeconds: number

  constructor(shown: readonly ShownValue[], usual: UsualDelay, nowSeconds: number) {
    for (const one of shown) {
      const values = this.#shown.get(one.mint) ?? new Map<Amount, ShownValue>()
      this.#shown.set(one.mint, values.set(one.value, one))
    }
    this.#usual = usual
    this.#nowSeconds = nowSeconds
  }

  /** The deposits of a value. They are computed once for each value, when they are first needed. */
  #seenAt(mint: Address, value: Amount): SeenValue {
    const shown = this.#shown.get(mint)?.get(value)
    if (shown === undefined) return UNSEEN
    const known = this.#seen.get(shown)
    if (known !== undefined) return known
    const seen = seenOf(shown, this.#usual, this.#nowSeconds)
    this.#seen.set(shown, seen)
    return seen
  }

  /** The deposits of a value that look undelivered. */
  pending(mint: Address, value: Amount): readonly PendingDeposit[] {
    return this.#seenAt(mint, value).pending
  }

  /** The wallets whose deposits of a value look undelivered. */
  waiting(mint: Address, value: Amount): ReadonlySet<Address> {
    return this.#seenAt(mint, value).waiting
  }

  /**
   * The average number of deposits of a value per second that came from wallets other than the sender's. In the earlier
   * period the wallets are unknown, so all deposits of that period are counted.
   */
  othersPerSecond(mint: Address, value: Amount, sender: Address, windowSeconds: number): number {
    const { deposits, recentBy } = this.#seenAt(mint, value)
    return (deposits - (recentBy.get(sender) ?? 0)) / (windowSeconds + HABIT_SECONDS)
  }

  /** The values that were recently deposited in an asset. */
  valuesOf(mint: Address): Amount[] {
    return [...(this.#shown.get(mint)?.values() ?? [])].flatMap(({ value, events }) =>
      events.some(({ kind }) => kind === 'deposit') ? [value] : [],
    )
  }
}

function seenOf({ events, habit }: ShownValue, usual: UsualDelay, nowSeconds: number): SeenValue {
  const pending = pendingDeposits(events, habit, usual, nowSeconds)
  const recentBy = new Map<Address, number>()
  let deposits = habit.deposits
  for (const one of events) {
    if (one.kind !== 'deposit') continue
    deposits += 1
    recentBy.set(one.wallet, (recentBy.get(one.wallet) ?? 0) + 1)
  }
  return { pending, waiting: new Set(pending.map(({ wallet }) => wallet)), recentBy, deposits }
}
