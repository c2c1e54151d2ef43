import type { Clock } from '../ports/clock.ts'
import type { Loop } from './loop.ts'

/**
 * Milliseconds after the last sign of work during which the short pause is used. This time is longer than a deposit
 * needs to become final.
 */
export const ATTENTIVE_MS = 60_000

interface Pauses {
  /** The pause while there is work, in milliseconds. */
  readonly busyMs: number
  /** The pause while there is no work, in milliseconds. */
  readonly idleMs: number
}

/**
 * Chooses the pause between two reads of the chain. The pause is short after the start and after each sign of work. It
 * is long once there has been no sign of work for a minute. So an idle service sends its node only a few requests in
 * ten seconds.
 */
export class Attention {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #pauses: Pauses
  #lastWorkMs: number

  constructor(clock: Pick<Clock, 'nowMs'>, pauses: Pauses) {
    this.#clock = clock
    this.#pauses = pauses
    this.#lastWorkMs = clock.nowMs()
  }

  /** Records a sign of work, and wakes these loops. */
  recordWork(...loops: readonly Pick<Loop, 'wake'>[]): void {
    this.#lastWorkMs = this.#clock.nowMs()
    for (const loop of loops) loop.wake()
  }

  /** The pause while there is no work, in milliseconds. It is never shorter than the pause while there is work. */
  get idleMs(): number {
    const { busyMs, idleMs } = this.#pauses
    return Math.max(busyMs, idleMs)
  }

  /** The current pause, in milliseconds. If the clock was set back, the short pause is used. */
  readonly pauseMs = (): number => {
    const ageMs = this.#clock.nowMs() - this.#lastWorkMs
    return ageMs < ATTENTIVE_MS ? this.#pauses.busyMs : this.idleMs
  }
}
