import type { UnixSeconds } from '@sotto/protocol'
import { lawOf } from '../../domain/delivery-schedule.ts'
import { hexOf } from '../../domain/hex.ts'
import type { UsualDelay } from '../../domain/observed-deposits.ts'
import { ObservedMarket, type ShownValue } from '../../domain/observed-market.ts'
import { stateQuote } from '../../domain/state-quote.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FollowStore, PayStore } from '../../ports/settlement-store.ts'
import { SharedAnswer } from '../../running/shared-answer.ts'
import type { OpenedOrder } from './opened-order.ts'

/** The greatest age of the chain's facts by which a crowd is counted. */
const SHOWN_MS = 5_000
/** A crowd may be counted by a time that is at most this much earlier than the chain's clock. */
const LATE_SECONDS = 10n

interface CrowdDependencies {
  readonly store: Pick<FollowStore, 'readCursor'> & Pick<PayStore, 'readShown'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly usualDelay: UsualDelay
}

/** One reading of the chain's facts, with the market that they show at `seconds`. */
interface Snapshot {
  readonly shown: readonly ShownValue[]
  market: ObservedMarket
  seconds: UnixSeconds
}

/**
 * Counts crowds from facts that the chain shows, by the same rule as the privacy statements of quotes. So the time of a
 * delivery reveals only public facts.
 */
export class Crowds {
  readonly #usual: UsualDelay
  readonly #shown: SharedAnswer<Snapshot>
  /** The anonymity sets of orders, by the market that they were counted in. */
  readonly #counted = new WeakMap<ObservedMarket, Map<string, number>>()

  constructor({ store, clock, usualDelay }: CrowdDependencies) {
    this.#usual = usualDelay
    this.#shown = new SharedAnswer(async () => {
      const { unixSeconds: seconds } = await store.readCursor()
      const shown = await store.readShown(seconds - BigInt(usualDelay.maxDelaySeconds))
      return { shown, seconds, market: this.#marketAt(shown, seconds) }
    }, clock)
  }

  /**
   * True if the crowd that a deposited transfer asks for is there, or if it asks for none. `clock` is the chain's time
   * of a finalized block.
   */
  async isThere(
    opened: Pick<OpenedOrder, 'order' | 'terms' | 'note'>,
    clock: UnixSeconds,
  ): Promise<boolean> {
    const { crowd } = opened.terms
    if (crowd === undefined) return true
    const snapshot = await this.#shown.read(SHOWN_MS, SHOWN_MS)
    return this.#count(this.#marketOf(snapshot, clock), opened) >= crowd.min
  }

  /**
   * The market at the later of the followed time and the chain's clock. The followed time is never later than the wall
   * clock. So if the wall clock was set back, deposits of hours ago would seem new by the followed time alone. A node's
   * clock that is ahead only makes a crowd smaller.
   */
  #marketOf(snapshot: Snapshot, clock: UnixSeconds): ObservedMarket {
    if (clock > snapshot.seconds + LATE_SECONDS) {
      snapshot.seconds = clock
      snapshot.market = this.#marketAt(snapshot.shown, clock)
    }
    return snapshot.market
  }

  #marketAt(shown: readonly ShownValue[], seconds: UnixSeconds): ObservedMarket {
    return new ObservedMarket(shown, this.#usual, wholeNumber(seconds))
  }

  /** Counts once in each market, because a count takes milliseconds and rounds come several times a second. */
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
