import { orderKey } from './order-key.ts'

/** Keeps an order from being worked on too often by this process; nothing depends on it. */
export class Pacer {
  readonly #pauseMs: number
  readonly #restUntilMs = new Map<string, number>()

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs
  }

  isDue(orderId: Uint8Array, nowMs: number): boolean {
    const until = this.#restUntilMs.get(orderKey(orderId)) ?? 0
    // Further away than a pause is long: the clock was set back since, and the rest is over.
    return until <= nowMs || until > nowMs + this.#pauseMs
  }

  /** Lets an order rest from now on. */
  rest(orderId: Uint8Array, nowMs: number): void {
    for (const [key, until] of this.#restUntilMs) {
      if (until <= nowMs) this.#restUntilMs.delete(key)
    }
    this.#restUntilMs.set(orderKey(orderId), nowMs + this.#pauseMs)
  }
}
