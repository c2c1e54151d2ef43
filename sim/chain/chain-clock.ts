import { unixSeconds, type UnixSeconds } from '@sotto/protocol'
import type { Faults } from '../faults/faults.ts'
import type { Timeline } from '../time/timeline.ts'

const HOUR_SECONDS = 3_600n

/** The chain's clock. It may lag, run ahead or leap forward, but it never goes back. */
export class ChainClock {
  readonly #d: { readonly timeline: Timeline; readonly faults: Faults }
  #offset: bigint
  #last = unixSeconds(0n)

  constructor(d: { readonly timeline: Timeline; readonly faults: Faults }) {
    this.#d = d
    this.#offset = d.faults.fires('chain_clock_lag', 'chain') ? -HOUR_SECONDS : -2n
  }

  /** The time of the next block, seconds since 1970. */
  next(): UnixSeconds {
    const { timeline, faults } = this.#d
    if (faults.isHealed) this.#offset = this.#offset > 0n ? this.#offset : -2n
    // If the clock is an hour late, it leaps to the correct time. If it isn't late, it leaps to a quarter of an hour
    // ahead.
    else if (faults.fires('chain_clock_leap', 'chain')) {
      this.#offset = this.#offset < -2n ? -2n : HOUR_SECONDS / 4n
    }
    const seconds = BigInt(Math.floor(timeline.nowMs / 1_000)) + this.#offset
    if (seconds > this.#last) this.#last = unixSeconds(seconds)
    return this.#last
  }
}
