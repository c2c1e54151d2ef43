import type { Clock } from '../ports/clock.ts'
import type { Loop } from './loop.ts'

/** Time after the last sign of work for which the short pause holds. It exceeds the time until a deposit is final. */
export const ATTENTIVE_MS = 60_000

interface Pauses {
  /** The pause while there is work, in milliseconds. */
  readonly busyMs: number
  /** The pause while there is none. */
  readonly idleMs: number
}

/**
 * The pause between two readings of the chain: short from the start and from each sign of work on, and long once there has
 * been none for a minute. So an idle service asks its node only a few times in ten seconds.
 */
export class Attention {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #pauses: Pauses
  #heededMs: number

  constructor(clock: Pick<Clock, 'nowMs'>, pauses: Pauses) {
    this.#clock = clock
    this.#pauses = pauses
    this.#heededMs = clock.nowMs()
  }

  /** Notes a sign of work, and wakes these loops. */
  heed(...loops: readonly Pick<Loop, 'wake'>[]): void {
    this.#heededMs = this.#clock.nowMs()
    for (const loop of loops) loop.wake()
  }

  /** The pause from now on, in milliseconds. If the clock was set back, the short one. */
  readonly pauseMs = (): number => {
    const ageMs = this.#clock.nowMs() - this.#heededMs
    const { busyMs, idleMs } = this.#pauses
    return ageMs < ATTENTIVE_MS ? busyMs : Math.max(busyMs, idleMs)
  }
}
