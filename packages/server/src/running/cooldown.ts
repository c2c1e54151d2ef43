import { hexOf } from '../domain/hex.ts'

interface Rest {
  readonly untilMs: number
  /** Number of consecutive rests. */
  readonly count: number
}

/**
 * Prevents this process from working on an order too often: an order isn't due while it rests. Correctness doesn't
 * depend on this class. Each consecutive rest of an order is twice as long as the previous rest, up to the longest
 * duration.
 */
export class Cooldown {
  readonly #firstMs: number
  readonly #maxMs: number
  readonly #rests = new Map<string, Rest>()

  constructor(firstMs: number, maxMs = firstMs) {
    this.#firstMs = firstMs
    this.#maxMs = maxMs
  }

  isDue(orderId: Uint8Array, nowMs: number): boolean {
    const untilMs = this.#rests.get(hexOf(orderId))?.untilMs ?? 0
    // A rest lasts at most the longest duration. If more time seems to be left, the clock was set back, and the rest
    // counts as over.
    return untilMs <= nowMs || untilMs > nowMs + this.#maxMs
  }

  /** True if a rest of the order is running or ended recently. */
  hasRested(orderId: Uint8Array, nowMs: number): boolean {
    const rest = this.#rests.get(hexOf(orderId))
    return rest !== undefined && !this.#isPast(rest, nowMs)
  }

  /** Starts a rest of the order. */
  rest(orderId: Uint8Array, nowMs: number): void {
    for (const [key, one] of this.#rests) if (this.#isPast(one, nowMs)) this.#rests.delete(key)
    const count = (this.#rests.get(hexOf(orderId))?.count ?? 0) + 1
    const pauseMs = Math.min(this.#firstMs * 2 ** Math.min(count - 1, 20), this.#maxMs)
    this.#rests.set(hexOf(orderId), { untilMs: nowMs + pauseMs, count })
  }

  /**
   * True if the rest ended longer ago than the duration of the longest rest. The order's next rest is then the shortest
   * again.
   */
  #isPast({ untilMs }: Rest, nowMs: number): boolean {
    return untilMs + this.#maxMs <= nowMs
  }
}
