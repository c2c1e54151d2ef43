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
  /** The time of the settlement's block, by the chain's clock. */
  readonly unixSeconds: UnixSeconds
}

/**
 * Deposits and settlements are counted by value in a period of this length, which ends when the usual window begins.
 */
export const HABIT_SECONDS = 21_600

/** The recent deposits and settlements of one value, as the chain shows them. */
export interface ShownValue {
  readonly mint: Address
  /** A deposit's value, or a settlement's payout and fee, in base units. */
  readonly value: Amount
  /** The deposits and settlements of the last usual window. */
  readonly events: readonly PublicEvent[]
  /** The counts in the `HABIT_SECONDS` before the usual window. */
  readonly habit: Habit
}

const NO_HABIT: Habit = { deposits: 0, settlements: 0 }

/** The deposits that look undelivered to an observer of the chain at the time of a snapshot. */
export class ObservedMarket {
  readonly #shown = new Map<string, ShownValue>()
  readonly #pending = new Map<string, readonly PendingDeposit[]>()
  readonly #usual: UsualDelay
  readonly #nowSeconds: number

  constructor(shown: readonly ShownValue[], usual: UsualDelay, nowSeconds: number) {
    for (const one of shown) this.#shown.set(keyOf(one.mint, one.value), one)
    this.#usual = usual
    this.#nowSeconds = nowSeconds
  }

  /** Computed once for each value, when the value is first needed. */
  pending(mint: Address, value: Amount): readonly PendingDeposit[] {
    const key = keyOf(mint, value)
    const known = this.#pending.get(key)
    if (known !== undefined) return known
    const { events = [], habit = NO_HABIT } = this.#shown.get(key) ?? {}
    const pending = pendingDeposits(events, habit, this.#usual, this.#nowSeconds)
    this.#pending.set(key, pending)
    return pending
  }

  /**
   * Average number of deposits of a value per second, made by wallets other than the sender's. For earlier hours the
   * wallets are unknown, so all deposits count.
   */
  othersPerSecond(mint: Address, value: Amount, sender: Address, windowSeconds: number): number {
    const { events = [], habit = NO_HABIT } = this.#shown.get(keyOf(mint, value)) ?? {}
    const recent = events.filter((one) => one.kind === 'deposit' && one.wallet !== sender).length
    return (recent + habit.deposits) / (windowSeconds + HABIT_SECONDS)
  }

  /** The recently deposited values of an asset. */
  valuesOf(mint: Address): Amount[] {
    return [...this.#shown.values()].flatMap((one) =>
      one.mint === mint && one.events.some(({ kind }) => kind === 'deposit') ? [one.value] : [],
    )
  }
}

const keyOf = (mint: Address, value: Amount): string => `${mint} ${value}`
