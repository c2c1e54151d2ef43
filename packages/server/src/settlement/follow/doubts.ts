/**
 * A doubt is a round in which the chain's root couldn't be reproduced. The root counts as different from ours after
 * this many consecutive doubts, if they also last for `LASTING_MS`. A difference halts new orders until an operator
 * acts, so a single false answer must not count as a difference. The number of doubts alone isn't enough, because the
 * rounds of a woken worker can follow each other immediately.
 */
const COUNT_MIN = 3
const LASTING_MS = 120_000
/**
 * At most this many milliseconds count between two consecutive doubts. A failed round, its pause and the timeout of a
 * request take less time together. If more time has passed, the clock has jumped or no round has run.
 */
const SILENCE_MAX_MS = 60_000

/** Counts how many rounds couldn't reproduce the chain's root, and for how long. */
export class Doubts {
  #count = 0
  #lastMs: number | undefined
  #forMs = 0
  #isLasting = false

  /** True once enough doubts have lasted for long enough. Stays true until `clear`. */
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
