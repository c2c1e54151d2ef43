/**
 * The newest root must be irreproducible this many times in a row, and for this long, before that counts as a
 * difference, which halts new orders until an operator acts: a node that briefly shows something else, or until its
 * neighbour answers, is no difference. The count alone isn't enough, because waking a worker can make rounds follow
 * each other immediately.
 */
const COUNT_MIN = 3
const LASTING_MS = 120_000
/**
 * The most that counts of the time between two such rounds: more than a failed round's pause and a request's
 * time-out. Anything longer is a clock that jumped, or a time without observations.
 */
const SILENCE_MAX_MS = 60_000

/** How often, and for how long, the chain's root could not be reproduced. */
export class Doubts {
  #count = 0
  #lastMs: number | undefined
  #forMs = 0
  #isLasting = false

  /** True once they were many and long, until they are cleared. */
  get isLasting(): boolean {
    return this.#isLasting
  }

  add(nowMs: number): void {
    const sinceMs = nowMs - (this.#lastMs ?? nowMs)
    this.#count += 1
    this.#lastMs = nowMs
    this.#forMs += Math.min(Math.max(0, sinceMs), SILENCE_MAX_MS)
    if (this.#count >= COUNT_MIN && this.#forMs >= LASTING_MS) this.#isLasting = true
  }

  clear(): void {
    this.#count = 0
    this.#lastMs = undefined
    this.#forMs = 0
    this.#isLasting = false
  }
}
