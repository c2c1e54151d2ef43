import type { Clock } from '../../ports/clock.ts'

const HOUR_MS = 3_600_000
/** The assumed duration of a proof before the first measurement. */
const FIRST_PROOF_MS = 2_000
/** The weight of the newest proof in the moving average is 1 divided by this number. */
const MEMORY = 16

/** Number of requests that each prover gets in advance, in addition to the requests that it is proving. */
const AHEAD = 1

/** A request that has been passed to a prover. */
interface Turn {
  /**
   * The time from which the prover's work is counted for this request. Undefined while it is still counted for an
   * earlier request.
   */
  startMs: number | undefined
}

/**
 * Passes requests to the provers in the order in which the requests arrive, and measures the provers' rate. Each prover
 * gets the requests that it proves at the same time, and one more to prove next. So a prover doesn't wait for this
 * process between two proofs.
 *
 * The inputs of a proof are computed when the request is passed to a prover. With inputs from an earlier time, the
 * proof would use an older root. Then an observer could see how long the request had waited, and the root could leave
 * the tree account's ring of newest roots before the proof landed.
 */
export class ProofQueue {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #provers: number
  readonly #turnsMax: number
  readonly #waiting: ((turn: Turn) => void)[] = []
  /** The requests that have been passed to provers, in the order in which they were passed. */
  readonly #turns: Turn[] = []
  #averageMs = FIRST_PROOF_MS

  /** @param atOnce number of requests that each prover proves at the same time */
  constructor(clock: Pick<Clock, 'nowMs'>, provers: number, atOnce: number) {
    this.#clock = clock
    this.#provers = provers
    this.#turnsMax = provers * (atOnce + AHEAD)
  }

  /** The number of proofs that all provers together make in an hour if they are never idle. */
  get proofsPerHour(): number {
    return Math.max(1, Math.floor((this.#provers * HOUR_MS) / this.#averageMs))
  }

  /** Calls `make` when a prover can accept the request, and returns its result. */
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
   * Records the start of proofs. Each prover's work is counted for its oldest request. So if a prover makes several
   * proofs at the same time, its time is counted only once, and the average is the time per proof.
   */
  #noteStarts(): void {
    for (const turn of this.#turns.slice(0, this.#provers)) turn.startMs ??= this.#clock.nowMs()
  }

  /**
   * Adds a measurement to the average. The measured time is limited. If the system clock was set during the proof, the
   * time could be negative or far too long.
   */
  #note(tookMs: number): void {
    const usable = Math.min(Math.max(tookMs, 1), HOUR_MS)
    this.#averageMs += (usable - this.#averageMs) / MEMORY
  }
}
