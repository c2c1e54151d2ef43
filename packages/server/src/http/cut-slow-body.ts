import type { IncomingMessage } from 'node:http'
import type { Clock } from '../ports/clock.ts'

/** How often is looked, as a share of the limit: a body is cut at most that much late. */
const LOOKS = 5

/**
 * Ends the connection of a body that hasn't arrived in time, whatever was answered meanwhile. The
 * server's own request timeout was seen not to end connections once the headers are complete. One
 * look at all of them now and then: a timer for each request costs as much as pricing its quote.
 */
export class SlowBodies {
  readonly #clock: Clock
  readonly #arrivalMs: number
  readonly #stopped = new AbortController()
  /** In the order of arrival, with the look by which each must be complete. */
  readonly #due = new Map<IncomingMessage, number>()
  #looks = 0
  #isLooking = false

  constructor(clock: Clock, arrivalMs: number) {
    this.#clock = clock
    this.#arrivalMs = arrivalMs
  }

  /** Sees to it that the message's body ends, or its connection does. */
  watch(message: IncomingMessage): void {
    const { 'content-length': length, 'transfer-encoding': encoding } = message.headers
    if (length === undefined && encoding === undefined) return
    // The next look may come at once, so it counts for nothing.
    this.#due.set(message, this.#looks + 1 + LOOKS)
    if (!this.#isLooking) void this.#look()
  }

  /**
   * Watches no more where the whole body is here. Told when the answer has left, because a listener for
   * each message's end takes as long as everything else here.
   */
  answered(message: IncomingMessage): void {
    if (message.complete) this.#due.delete(message)
  }

  /** Looks no more. */
  stop(): void {
    this.#stopped.abort()
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    while (this.#due.size > 0 && !this.#stopped.signal.aborted) {
      await this.#clock.sleep(Math.ceil(this.#arrivalMs / LOOKS), this.#stopped.signal)
      this.#looks += 1
      for (const [message, due] of this.#due) {
        // Also of those whose connection has ended, which no answer will leave by.
        const hasEnded = message.complete || message.destroyed
        if (!hasEnded && due > this.#looks) continue
        this.#due.delete(message)
        if (!hasEnded) message.socket.destroy()
      }
    }
    this.#isLooking = false
  }
}
