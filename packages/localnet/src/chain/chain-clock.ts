/**
 * The chain's time: the wall clock plus the sum of all calls of `localnet_advanceTime`, in whole seconds. Programs
 * compare this time with deadlines. So the time never goes back, even if the machine's clock does.
 */
export class ChainClock {
  readonly #wallMs: () => number
  #offsetSeconds: number
  #lastSeconds: number

  constructor(start: { offsetSeconds: number; lastSeconds: number; wallMs?: () => number }) {
    this.#offsetSeconds = start.offsetSeconds
    this.#lastSeconds = start.lastSeconds
    this.#wallMs = start.wallMs ?? Date.now
  }

  /** Seconds added to the wall clock so far. */
  get offsetSeconds(): number {
    return this.#offsetSeconds
  }

  /** Unix time in seconds for a new block. */
  next(): number {
    const now = Math.floor(this.#wallMs() / 1000) + this.#offsetSeconds
    this.#lastSeconds = Math.max(this.#lastSeconds, now)
    return this.#lastSeconds
  }

  /** Moves the chain's time forward by whole seconds. */
  advance(seconds: number): void {
    this.#offsetSeconds += seconds
    this.#lastSeconds += seconds
  }
}
