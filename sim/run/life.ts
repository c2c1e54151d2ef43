import type { Clock } from '../../packages/server/src/ports/clock.ts'
import type { Faults } from '../faults/faults.ts'
import type { SeededRandom } from '../time/seeded-random.ts'
import type { Timeline } from '../time/timeline.ts'
import type { Trace } from '../time/trace.ts'

/** Data that all processes of a run share. */
export interface Surroundings {
  readonly timeline: Timeline
  readonly faults: Faults
  readonly trace: Trace
  readonly random: SeededRandom
  /** A worker's usual polling interval. */
  readonly pollMs: number
  /** The shortest pause between polls. It is longer in quiet times, which need fewer polls. */
  quietMs: number
  /** No prover works before this time. */
  proverDownUntilMs: number
  /** The database refuses all requests before this time. */
  databaseDownUntilMs: number
}

/**
 * Some loops poll with cheap requests and ask for pauses of at most this length. These polls would make a run too slow,
 * so each of these pauses lasts as long as `SHORT_SLEEPS` usual pauses.
 */
const SHORT_MS = 1_000
const SHORT_SLEEPS = 2

/**
 * The error of a machine's wall clock, in milliseconds. The error stays the same when processes on the machine
 * restart.
 */
export interface Skew {
  ms: number
}

/**
 * One life of a process. After the process is killed, its pending promises never resolve. So the process's code doesn't
 * continue, as after SIGKILL.
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
      const leastMs = ms <= SHORT_MS ? SHORT_SLEEPS * Math.max(pollMs, quietMs) : quietMs
      timeline.after(Math.max(ms, leastMs), end)
    })
  }

  /** Kills the process like SIGKILL. */
  kill(): void {
    if (!this.#isAlive) return
    this.#isAlive = false
    this.note('dies')
    this.#onDeath()
  }

  /** Records that the process has ended cleanly. */
  end(): void {
    this.#isAlive = false
  }

  note(what: string): void {
    this.world.trace.add(this.world.timeline.nowMs, this.name, what)
  }
}
