import type { Clock } from '../../ports/clock.ts'

const HOUR_MS = 3_600_000
/** The assumed time of a proof before the first measurement. */
const FIRST_PROOF_MS = 2_000
/** The newest proof's weight in the average is one divided by this number. */
const MEMORY = 16

/** Requests that a prover holds beyond those that it proves. */
const AHEAD = 1

/** A request for a proof whose turn has come. */
interface Turn {
  /** The time from which its prover's work counts for it; undefined while that work counts for an earlier request. */
  startMs: number | undefined
}

/**
 * Gives each prover the requests that it proves at the same time and the one to prove next, in the order of the requests,
 * and measures the provers' rate. Because a prover already has its next request, it doesn't wait for this process between
 * two proofs. A proof's inputs are computed when its turn comes, at most one proof early. With an older root, an observer could see
 * how long the request waited, and the root could leave the chain's ring before the proof lands.
 */
export class ProofQueue {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #provers: number
  readonly #turnsMax: number
  readonly #waiting: ((turn: Turn) => void)[] = []
  /** The requests whose turn has come, in this order. */
  readonly #turns: Turn[] = []
  #averageMs = FIRST_PROOF_MS

  /** @param atOnce number of requests that each prover proves at the same time */
  constructor(clock: Pick<Clock, 'nowMs'>, provers: number, atOnce: number) {
    this.#clock = clock
    this.#provers = provers
    this.#turnsMax = provers * (atOnce + AHEAD)
  }

  /** The number of proofs that all provers together make in an hour without a pause. */
  get proofsPerHour(): number {
    return Math.max(1, Math.floor((this.#provers * HOUR_MS) / this.#averageMs))
  }

  /** Calls `make` when its turn comes. */
  async run<Result>(make: () => Promise<Result>): Promise<Result> {
    const isFull = this.#turns.length >= this.#turnsMax
    const turn = isFull ? await this.#wait() : this.#begin()
    try {
      const made = await make()
      if (turn.startMs !== undefined) this.#note(this.#clock.nowMs() - turn.startMs)
      return made
    } finally {
      this.#leave(turn)
    }
  }

  #wait(): Promise<Turn> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #begin(): Turn {
    const turn: Turn = { startMs: undefined }
    this.#turns.push(turn)
    this.#noteStarts()
    return turn
  }

  #leave(turn: Turn): void {
    this.#turns.splice(this.#turns.indexOf(turn), 1)
    this.#noteStarts()
    const next = this.#waiting.shift()
    if (next !== undefined) next(this.#begin())
  }

  /**
   * Records the start of proofs. Each prover's work counts for its oldest request. So proofs that it makes at the same
   * time share that time, and the average is the time for each proof.
   */
  #noteStarts(): void {
    for (const turn of this.#turns.slice(0, this.#provers)) turn.startMs ??= this.#clock.nowMs()
  }

  /**
   * The measured time is bounded, because a clock that was set could otherwise make the average negative or far too
   * large.
   */
  #note(tookMs: number): void {
    const usable = Math.min(Math.max(tookMs, 1), HOUR_MS)
    this.#averageMs += (usable - this.#averageMs) / MEMORY
  }
}
