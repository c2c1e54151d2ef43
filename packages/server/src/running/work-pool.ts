/** Of so many places, one is for work that failed before. */
const PLACES_FOR_ONE_RETRY = 4

/**
 * Pieces of work that go on side by side, each under a name, at most so many, and of those that failed before
 * a quarter. Whoever starts them doesn't wait for their end: a slow one keeps its own place and nobody else's.
 */
export class WorkPool {
  readonly #limit: number
  readonly #retriesMax: number
  readonly #running = new Map<string, Promise<void>>()
  readonly #retries = new Set<string>()

  constructor(limit: number) {
    this.#limit = limit
    this.#retriesMax = Math.max(1, Math.floor(limit / PLACES_FOR_ONE_RETRY))
  }

  has(name: string): boolean {
    return this.#running.has(name)
  }

  /** Resolves once another piece may be started; only one caller may wait at a time. */
  async room(): Promise<void> {
    while (this.#running.size >= this.#limit) await Promise.race(this.#running.values())
  }

  /** Whether one more piece that failed before may be started. */
  get hasRoomForRetry(): boolean {
    return this.#retries.size < this.#retriesMax
  }

  /** Starts a piece; its failures are its own to report. */
  start(name: string, work: () => Promise<void>, isRetry = false): void {
    if (isRetry) this.#retries.add(name)
    const running = work().finally(() => {
      this.#running.delete(name)
      this.#retries.delete(name)
    })
    this.#running.set(name, running)
  }

  /** Resolves once no work is running any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values())
  }
}
