import { lawOf } from '../../domain/delivery-schedule.ts'
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

  constructor({ store, clock, usualDelay }: CrowdDependencies) {
    this.#usual = usualDelay
    this.#shown = new SharedAnswer(async () => {
      const { unixSeconds } = await store.readCursor()
      const shown = await store.readShown(unixSeconds - BigInt(usualDelay.maxDelaySeconds))
      return new ObservedMarket(shown, usualDelay, wholeNumber(unixSeconds))
    }, clock)
  }

  /** True if the crowd that a deposited transfer asks for is there, or if it asks for none. */
  async isThere({ terms, note }: Pick<OpenedOrder, 'terms' | 'note'>): Promise<boolean> {
    if (terms.crowd === undefined) return true
    const { mint, value, sender } = note
    const { anonymitySet } = stateQuote(
      await this.#shown.read(SHOWN_MS, SHOWN_MS),
      lawOf(this.#usual),
      { mint, value, sender, delays: terms, isDeposited: true },
    )
    return anonymitySet >= terms.crowd.min
  }
}
