import type { IncomingMessage } from 'node:http'
import type { Clock } from '../ports/clock.ts'
import type { AtEndOfTurn } from './response-batcher.ts'

/**
 * Number of checks within one time limit. A slow body may exceed the limit by at most the time between two checks,
 * which is the limit divided by this number.
 */
const ROUNDS = 5

/** True if the message is complete, or if its connection has ended and no response can be sent. */
const hasEnded = ({ complete, destroyed }: IncomingMessage): boolean => complete || destroyed

/**
 * Ends the connection of a body that hasn't arrived in time, even if a response was sent. In tests, the server's own
 * request timeout didn't end connections whose headers were complete. All bodies are checked together periodically,
 * because a timer for each request would take as long as pricing its quote.
 */
export class SlowBodies {
  readonly #clock: Clock
  readonly #arrivalMs: number
  readonly #atEndOfTurn: AtEndOfTurn
  readonly #stopped = new AbortController()
  /**
   * Messages whose headers arrived in this turn of the event loop. The bodies of nearly all these messages have already
   * arrived.
   */
  #arrived: IncomingMessage[] = []
  /** Messages in the order of arrival, with the number of the check by which each message must be complete. */
  readonly #due = new Map<IncomingMessage, number>()
  #rounds = 0
  #isChecking = false

  constructor(clock: Clock, arrivalMs: number, atEndOfTurn: AtEndOfTurn) {
    this.#clock = clock
    this.#arrivalMs = arrivalMs
    this.#atEndOfTurn = atEndOfTurn
  }

  /** Makes sure that either the message's body arrives in time or its connection is ended. */
  watch(message: IncomingMessage): void {
    const { 'content-length': length, 'transfer-encoding': encoding } = message.headers
    if (length === undefined && encoding === undefined) return
    if (this.#arrived.push(message) === 1) this.#atEndOfTurn(() => this.#watchIncomplete())
  }

  #watchIncomplete(): void {
    const arrived = this.#arrived
    this.#arrived = []
    for (const message of arrived) {
      if (hasEnded(message)) continue
      // The next check may run immediately, so the message is allowed one extra check.
      this.#due.set(message, this.#rounds + 1 + ROUNDS)
      if (!this.#isChecking) void this.#check()
    }
  }

  /**
   * Stops watching a message whose whole body has arrived. The caller calls this method when it sends the response. A
   * listener for each message's end would take as long as all other work of this class.
   */
  answered(message: IncomingMessage): void {
    if (message.complete) this.#due.delete(message)
  }

  /** Stops all checks. */
  stop(): void {
    this.#stopped.abort()
  }

  async #check(): Promise<void> {
    this.#isChecking = true
    while (this.#due.size > 0 && !this.#stopped.signal.aborted) {
      await this.#clock.sleep(Math.ceil(this.#arrivalMs / ROUNDS), this.#stopped.signal)
      this.#rounds += 1
      for (const [message, due] of this.#due) {
        const isOver = hasEnded(message)
        if (!isOver && due > this.#rounds) continue
        this.#due.delete(message)
        if (!isOver) message.socket.destroy()
      }
    }
    this.#isChecking = false
  }
}
