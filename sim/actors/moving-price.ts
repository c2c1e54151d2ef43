import type { SeededRandom } from '../time/seeded-random.ts'
import type { Timeline } from '../time/timeline.ts'

const STEP_MS = 15_000
const STEP_BPS = 40
const MOST_BPS = 400

/** A rate that rises and falls during the whole run. */
export class MovingPrice {
  readonly #timeline: Timeline
  readonly #random: SeededRandom
  #bps = 0
  #stepAtMs: number

  constructor(timeline: Timeline, random: SeededRandom) {
    this.#timeline = timeline
    this.#random = random
    this.#stepAtMs = timeline.nowMs + STEP_MS
  }

  /** The rate's current distance from its initial value, in basis points. */
  get bps(): number {
    while (this.#stepAtMs <= this.#timeline.nowMs) {
      const next = this.#bps + this.#random.between(-STEP_BPS, STEP_BPS)
      this.#bps = Math.max(-MOST_BPS, Math.min(MOST_BPS, next))
      this.#stepAtMs += STEP_MS
    }
    return this.#bps
  }
}
