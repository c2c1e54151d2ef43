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

/** Maximum age of the chain's facts from which a crowd is counted, in milliseconds. */
const SHOWN_MS = 5_000
/** A crowd may be counted at a time that is at most this many seconds before the chain's clock. */
const LATE_SECONDS = 10n

interface CrowdDependencies {
  readonly store: Pick<FollowStore, 'readCursor'> & Pick<PayStore, 'readShown'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly usualDelay: UsualDelay
}

/** One reading of the chain's facts, and the market that these facts show at the time `seconds`. */
interface Snapshot {
  readonly shown: readonly ShownValue[]
  market: ObservedMarket
  seconds: UnixSeconds
}

/**
 * Counts crowds from facts that the chain shows, by the rule that quotes also use. So the time of a delivery reveals
 * only public facts.
 */
export class Crowds {
  readonly #usual: UsualDelay
  readonly #shown: SharedAnswer<Snapshot>
  /**
   * The anonymity sets of orders. The first key is the market in which they were counted, and the second key is the
   * order's id.
   */
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
   * True if a deposited transfer has the crowd that it asks for, or asks for no crowd. `clock` is the chain's time of a
   * finalized block.
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
   * Returns the market at the followed time or at the chain's clock, whichever is later. The followed time is never
   * later than the wall clock. If the wall clock was set back, the followed time alone would make deposits from hours
   * ago seem new. If a node's clock is ahead, the crowd is only smaller.
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

  /**
   * Counts each order's crowd once in each market. A count takes milliseconds, and there are several rounds a second.
   */
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
