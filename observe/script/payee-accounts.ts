import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { Mix } from '../load/mix.ts'
import type { OpeningEvent } from './script-events.ts'

/**
 * If a stranger opens a payee's account near the payee's first quote, the account is opened at most this many seconds
 * before or after this quote.
 */
const NEAR_SECONDS = 1_800
const DAY = 86_400

/** The USDC accounts of payees, and the times at which they were opened. */
export class PayeeAccounts {
  readonly #shares: Mix['accounts']
  readonly #begin: number
  readonly #random: SeededRandom
  readonly #opened = new Map<number, number>()
  readonly #events: OpeningEvent[] = []

  constructor(shares: Mix['accounts'], begin: number, random: SeededRandom) {
    this.#shares = shares
    this.#begin = begin
    this.#random = random
  }

  /** True if a quote at this time finds the payee's account. */
  exists(payee: number, seconds: number): boolean {
    const opened = this.#opened.get(payee) ?? this.#openedByStranger(payee, seconds)
    return opened <= seconds
  }

  /** A settlement opens the payee's account, if it is still missing. */
  open(payee: number, seconds: number): void {
    this.#opened.set(payee, Math.min(seconds, this.#opened.get(payee) ?? Infinity))
  }

  /** A stranger opens the payee's account at this time, if it is still missing. */
  openByStranger(payee: number, seconds: number): void {
    this.open(payee, seconds)
    this.#events.push({ is: 'opening', seconds, payee })
  }

  /** The accounts that strangers open. */
  events(): readonly OpeningEvent[] {
    return this.#events
  }

  /**
   * At the first quote for a payee, draws whether and when a stranger opens the payee's account. Returns the time;
   * `Infinity` if no stranger opens the account.
   */
  #openedByStranger(payee: number, seconds: number): number {
    const { old, before, during } = this.#shares
    const drawn = this.#random.below(100)
    const near = this.#random.between(1, NEAR_SECONDS)
    if (drawn < old) this.openByStranger(payee, this.#begin - DAY)
    else if (drawn < old + before) this.openByStranger(payee, seconds - near)
    else if (drawn < old + before + during) this.openByStranger(payee, seconds + near)
    else this.#opened.set(payee, Infinity)
    return this.#opened.get(payee) ?? Infinity
  }
}
