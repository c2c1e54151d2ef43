/** The limit is divided by this number to get the number of places for work that has failed before. */
const PLACES_FOR_ONE_RETRY = 4

/**
 * Runs named pieces of work concurrently, up to a limit. Pieces that have failed before get at most a quarter of the
 * places. A caller doesn't wait until a piece ends, and a slow piece occupies only its own place.
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

  /** Resolves once another piece may be started. Only one caller may wait at a time. */
  async room(): Promise<void> {
    while (this.#running.size >= this.#limit) await Promise.race(this.#running.values())
  }

  /** True if another piece that has failed before may be started. */
  get hasRoomForRetry(): boolean {
    return this.#retries.size < this.#retriesMax
  }

  /** Starts a piece of work. The piece must report its own failures. */
  start(name: string, work: () => Promise<void>, isRetry = false): void {
    if (isRetry) this.#retries.add(name)
    const running = work().finally(() => {
      this.#running.delete(name)
      this.#retries.delete(name)
    })
    this.#running.set(name, running)
  }

  /** Resolves once no work is running. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values())
  }
}
