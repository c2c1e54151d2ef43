import { dropWhere } from '../running/shared-answer.ts'

/**
 * Maximum number of concurrent messages to one endpoint. Without the limit, a slow endpoint could occupy most of the
 * worker.
 */
const AT_ONCE = 4
/** Number of consecutive failures after which an endpoint counts as dead. */
const FAILURES = 3
/** Milliseconds for which a dead endpoint gets no message. The time doubles with each additional failure. */
const REST_FIRST_MS = 30_000
const REST_MAX_MS = 300_000
/** Time after which the failures of an endpoint that gets no more messages are forgotten. */
const FORGOTTEN_MS = 86_400_000

interface Circuit {
  failures: number
  restUntilMs: number
  underWay: number
  /** Number of messages that wait or are under way. */
  messages: number
  /** Messages that wait for a free place. The oldest is first. */
  readonly waiting: (() => void)[]
}

/**
 * Prevents endpoints that don't respond from blocking the worker. The state exists only in this process's memory,
 * because a stored state would show which messages wait for the same endpoint. A message that isn't admitted is tried
 * again at its next poll.
 */
export class EndpointCircuits {
  readonly #circuits = new Map<string, Circuit>()

  /** The number of endpoints whose state is kept. */
  get size(): number {
    return this.#circuits.size
  }

  /**
   * Waits until the message may be sent, then returns true. Returns false if the message must not be sent in this poll.
   */
  async enter(webhookId: string, nowMs: () => number, mayWait: () => boolean): Promise<boolean> {
    const circuit = this.#of(webhookId, nowMs())
    circuit.messages += 1
    while (mayWait()) {
      const isDead = circuit.failures >= FAILURES
      const restMs = circuit.restUntilMs - nowMs()
      // A pause lasts at most `REST_MAX_MS`. If more time seems to be left, the clock was set back, and the pause
      // counts as over.
      if (isDead && restMs > 0 && restMs <= REST_MAX_MS) break
      if (circuit.underWay < (isDead ? 1 : AT_ONCE)) {
        circuit.underWay += 1
        return true
      }
      // Another message is already checking whether the endpoint works again.
      if (isDead) break
      await new Promise<void>((resolve) => void circuit.waiting.push(resolve))
    }
    this.#end(webhookId, circuit)
    return false
  }

  /** Records that an admitted message was delivered or has failed. */
  leave(webhookId: string, hasArrived: boolean, nowMs: number): void {
    const circuit = this.#of(webhookId, nowMs)
    circuit.underWay -= 1
    circuit.failures = hasArrived ? 0 : circuit.failures + 1
    const times = Math.max(0, circuit.failures - FAILURES)
    circuit.restUntilMs = nowMs + Math.min(REST_FIRST_MS * 2 ** Math.min(times, 16), REST_MAX_MS)
    this.#end(webhookId, circuit)
  }

  /** Ends a message, sent or not, and wakes the next waiting message. A circuit without content isn't kept. */
  #end(webhookId: string, circuit: Circuit): void {
    circuit.messages -= 1
    circuit.waiting.shift()?.()
    if (circuit.messages === 0 && circuit.failures === 0) this.#circuits.delete(webhookId)
  }

  #of(webhookId: string, nowMs: number): Circuit {
    const known = this.#circuits.get(webhookId)
    if (known !== undefined) return known
    dropWhere(
      this.#circuits,
      ({ messages, restUntilMs }) => messages === 0 && nowMs - restUntilMs > FORGOTTEN_MS,
    )
    const fresh: Circuit = { failures: 0, restUntilMs: 0, underWay: 0, messages: 0, waiting: [] }
    this.#circuits.set(webhookId, fresh)
    return fresh
  }
}
