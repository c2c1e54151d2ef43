import { lawOf } from '../../domain/delivery-schedule.ts'
import { hexOf } from '../../domain/hex.ts'
import type { UsualDelay } from '../../domain/observed-deposits.ts'
import { ObservedMarket } from '../../domain/observed-market.ts'
import { stateQuote } from '../../domain/state-quote.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FollowStore, PayStore } from '../../ports/settlement-store.ts'
import { SharedAnswer } from '../../running/shared-answer.ts'
import type { OpenedOrder } from './opened-order.ts'

/** The greatest age of the chain's facts by which a crowd is counted. */
const SHOWN_MS = 5_000

interface CrowdDependencies {
  readonly store: Pick<FollowStore, 'readCursor'> & Pick<PayStore, 'readShown'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly usualDelay: UsualDelay
}

/**
 * Counts crowds from facts that the chain shows, by the same rule as the privacy statements of quotes. So the time of a
 * delivery reveals only public facts.
 */
export class Crowds {
  readonly #usual: UsualDelay
  readonly #shown: SharedAnswer<ObservedMarket>
  /** The anonymity sets of orders, by the snapshot that they were counted in. */
  readonly #counted = new WeakMap<ObservedMarket, Map<string, number>>()

  constructor({ store, clock, usualDelay }: CrowdDependencies) {
    this.#usual = usualDelay
    this.#shown = new SharedAnswer(async () => {
      const { unixSeconds } = await store.readCursor()
      const shown = await store.readShown(unixSeconds - BigInt(usualDelay.maxDelaySeconds))
      return new ObservedMarket(shown, usualDelay, wholeNumber(unixSeconds))
    }, clock)
  }

  /** True if the crowd that a deposited transfer asks for is there, or if it asks for none. */
  async isThere(opened: Pick<OpenedOrder, 'order' | 'terms' | 'note'>): Promise<boolean> {
    const { crowd } = opened.terms
    if (crowd === undefined) return true
    const shown = await this.#shown.read(SHOWN_MS, SHOWN_MS)
    return this.#count(shown, opened) >= crowd.min
  }

  /** Counts once in each snapshot, because a count takes milliseconds and rounds come several times a second. */
  #count(
    shown: ObservedMarket,
    { order, terms, note }: Pick<OpenedOrder, 'order' | 'terms' | 'note'>,
  ): number {
    const counted = this.#counted.get(shown) ?? new Map<string, number>()
    this.#counted.set(shown, counted)
    const key = hexOf(order.orderId)
    const known = counted.get(key)
    if (known !== undefined) return known
    const { mint, value, sender } = note
    const { anonymitySet } = stateQuote(shown, lawOf(this.#usual), {
      ...{ mint, value, sender, delays: terms, isDeposited: true },
    })
    counted.set(key, anonymitySet)
    return anonymitySet
  }
}
