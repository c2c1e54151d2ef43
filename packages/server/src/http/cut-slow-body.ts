import type { IncomingMessage } from 'node:http'
import type { Clock } from '../ports/clock.ts'
import type { AtEndOfTurn } from './response-batcher.ts'

/** How often is looked, as a share of the limit: a body is cut at most that much late. */
const LOOKS = 5

/** Also where its connection has ended, which no answer will leave by. */
const hasEnded = ({ complete, destroyed }: IncomingMessage): boolean => complete || destroyed

/**
 * Ends the connection of a body that hasn't arrived in time, whatever was answered meanwhile. The
 * server's own request timeout was seen not to end connections once the headers are complete. One
 * look at all of them now and then: a timer for each request costs as much as pricing its quote.
 */
export class SlowBodies {
  readonly #clock: Clock
  readonly #arrivalMs: number
  readonly #atEndOfTurn: AtEndOfTurn
  readonly #stopped = new AbortController()
  /** Those whose headers arrived in this turn; nearly all of them bring their body along. */
  #arrived: IncomingMessage[] = []
  /** In the order of arrival, with the look by which each must be complete. */
  readonly #due = new Map<IncomingMessage, number>()
  #looks = 0
  #isLooking = false

  constructor(clock: Clock, arrivalMs: number, atEndOfTurn: AtEndOfTurn) {
    this.#clock = clock
    this.#arrivalMs = arrivalMs
    this.#atEndOfTurn = atEndOfTurn
  }

  /** Sees to it that the message's body ends, or its connection does. */
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
      // The next look may come at once, so it counts for nothing.
      this.#due.set(message, this.#looks + 1 + LOOKS)
      if (!this.#isLooking) void this.#look()
    }
  }

  /**
   * Watches no more where the whole body is here. Told when the answer leaves, because a listener for
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
        const isOver = hasEnded(message)
        if (!isOver && due > this.#looks) continue
        this.#due.delete(message)
        if (!isOver) message.socket.destroy()
      }
    }
    this.#isLooking = false
  }
}
