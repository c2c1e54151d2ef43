/**
 * The chain's newest root must be irreproducible this many times in a row, and for `LASTING_MS`, before that counts
 * as a difference. A difference halts new orders until an operator acts, so a node that shows something else for a
 * moment must not cause one. The count alone isn't enough, because rounds can follow each other immediately when a
 * worker is woken.
 */
const COUNT_MIN = 3
const LASTING_MS = 120_000
/**
 * The most of the time between two doubts that counts: more than the pause after a failed round plus a request's
 * timeout. A longer time means that the clock jumped or that no round ran.
 */
const SILENCE_MAX_MS = 60_000

/** Counts how often, and for how long, the chain's root couldn't be reproduced. */
export class Doubts {
  #count = 0
  #lastMs: number | undefined
  #forMs = 0
  #isLasting = false

  /** True once the doubts were enough and lasted long enough; stays true until they are cleared. */
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
