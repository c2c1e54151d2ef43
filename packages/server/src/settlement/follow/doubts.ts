/**
 * The chain's root counts as different from ours only if it couldn't be reproduced in this many consecutive rounds that
 * together last for `LASTING_MS`. A difference halts new orders until an operator acts, so a single false answer must
 * not count as a difference. The number of rounds alone isn't enough: when a worker is woken, rounds can follow each
 * other immediately.
 */
const COUNT_MIN = 3
const LASTING_MS = 120_000
/**
 * Of the time between two consecutive doubts, at most this many milliseconds are counted. The limit exceeds the pause
 * after a failed round plus the timeout of a request. If more time has passed, the clock has jumped or no round has
 * run.
 */
const SILENCE_MAX_MS = 60_000

/** Counts how often, and for how long, the chain's root couldn't be reproduced. */
export class Doubts {
  #count = 0
  #lastMs: number | undefined
  #forMs = 0
  #isLasting = false

  /** True once there have been enough doubts for long enough. Stays true until `clear`. */
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
