import type { Clock } from '../../packages/server/src/ports/clock.ts'
import type { Faults } from '../faults/faults.ts'
import type { SeededRandom } from '../time/seeded-random.ts'
import type { Timeline } from '../time/timeline.ts'
import type { Trace } from '../time/trace.ts'

/** What every process of a run shares. */
export interface Surroundings {
  readonly timeline: Timeline
  readonly faults: Faults
  readonly trace: Trace
  readonly random: SeededRandom
  /** The usual pause between a worker's looks. */
  readonly pollMs: number
  /** No pause is shorter: quiet times need fewer looks. */
  quietMs: number
  /** Until when no proof is made. */
  proverDownUntilMs: number
  /** Until when the database refuses everything. */
  databaseDownUntilMs: number
}

/**
 * Pauses so short are asked for by loops that look at almost nothing; a run can't afford them, so they
 * last as long as so many usual ones.
 */
const SHORT_MS = 1_000
const SHORT_LOOKS = 2

/** What a machine's wall clock is off by, milliseconds; outlives its processes. */
export interface Skew {
  ms: number
}

/**
 * One life of a process. Once it has died nothing that it waited for comes back: its code stands
 * where it stood for ever, as after a SIGKILL.
 */
export class Life implements Clock {
  readonly name: string
  readonly world: Surroundings
  readonly #skew: Skew
  readonly #onDeath: () => void
  #isAlive = true

  constructor(world: Surroundings, name: string, skew: Skew, onDeath: () => void) {
    this.world = world
    this.name = name
    this.#skew = skew
    this.#onDeath = onDeath
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  readonly nowMs = (): number => this.world.timeline.nowMs + this.#skew.ms

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    const { timeline, quietMs, pollMs } = this.world
    if (signal?.aborted === true) return Promise.resolve()
    return new Promise((resolve) => {
      let isOver = false
      const end = () => {
        if (isOver) return
        isOver = true
        signal?.removeEventListener('abort', end)
        if (this.#isAlive) resolve()
      }
      signal?.addEventListener('abort', end)
      const leastMs = ms <= SHORT_MS ? SHORT_LOOKS * Math.max(pollMs, quietMs) : quietMs
      timeline.after(Math.max(ms, leastMs), end)
    })
  }

  /** SIGKILL. */
  kill(): void {
    if (!this.#isAlive) return
    this.#isAlive = false
    this.note('dies')
    this.#onDeath()
  }

  /** Has ended by itself, in good order. */
  end(): void {
    this.#isAlive = false
  }

  note(what: string): void {
    this.world.trace.add(this.world.timeline.nowMs, this.name, what)
  }
}
