import type { Clock } from '../../ports/clock.ts'

const HOUR_MS = 3_600_000
/** The assumed time of a proof before any was measured. */
const FIRST_PROOF_MS = 2_000
/** The newest proof has this weight in the average: one in so many. */
const MEMORY = 16

/**
 * Lets as many proofs be made at a time as there are provers, in the order of their requests, and measures their rate.
 * A proof's inputs are computed when its turn comes: a root that was chosen before the queue would reveal to an observer
 * how old the proof is, and could leave the chain's ring before the proof lands.
 */
export class ProofQueue {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #provers: number
  readonly #waiting: (() => void)[] = []
  #running = 0
  #averageMs = FIRST_PROOF_MS

  constructor(clock: Pick<Clock, 'nowMs'>, provers: number) {
    this.#clock = clock
    this.#provers = provers
  }

  /** The rate of all provers together, if they have no pause. */
  get proofsPerHour(): number {
    return Math.max(1, Math.floor((this.#provers * HOUR_MS) / this.#averageMs))
  }

  /** Calls `make` when its turn comes. */
  async run<Result>(make: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#provers) this.#running += 1
    // A finished proof hands its place over, so the number of running proofs stays the same.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    const startMs = this.#clock.nowMs()
    try {
      const made = await make()
      this.#note(this.#clock.nowMs() - startMs)
      return made
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  /** A clock that was set can't make the average negative or absurd for long. */
  #note(tookMs: number): void {
    const usable = Math.min(Math.max(tookMs, 1), HOUR_MS)
    this.#averageMs += (usable - this.#averageMs) / MEMORY
  }
}
