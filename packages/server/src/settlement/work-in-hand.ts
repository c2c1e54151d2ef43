/**
 * Pieces of work that go on side by side, each under a name, at most so many. Whoever starts them doesn't
 * wait for their end: a slow one keeps its own place and nobody else's.
 */
export class WorkInHand {
  readonly #limit: number
  readonly #running = new Map<string, Promise<void>>()

  constructor(limit: number) {
    this.#limit = limit
  }

  has(name: string): boolean {
    return this.#running.has(name)
  }

  /** Resolves once another piece may be started; only one caller may wait at a time. */
  async room(): Promise<void> {
    while (this.#running.size >= this.#limit) await Promise.race(this.#running.values())
  }

  /** Starts a piece; its failures are its own to report. */
  start(name: string, work: () => Promise<void>): void {
    const running = work().finally(() => this.#running.delete(name))
    this.#running.set(name, running)
  }

  /** Resolves once nothing is in hand any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values())
  }
}
