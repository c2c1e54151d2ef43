/** Messages under way to one endpoint at a time: a slow one takes no more of the worker than this. */
const AT_ONCE = 4
/** Failures in a row after which an endpoint counts as dead. */
const FAILURES = 3
/** How long a dead endpoint is left alone, doubled after each try that fails too. */
const REST_FIRST_MS = 30_000
const REST_MAX_MS = 300_000
/** When to look again for an endpoint that has as many under way as it may. */
const BUSY_MS = 1_000

interface Circuit {
  failures: number
  restUntilMs: number
  underWay: number
}

/**
 * Keeps endpoints that don't answer from taking up the worker, of this process alone: nothing is lost
 * with it. What isn't let through hasn't been attempted, and comes again later.
 */
export class EndpointCircuits {
  readonly #circuits = new Map<string, Circuit>()

  /** Lets a message through, or says in how many milliseconds to ask again. */
  tryEnter(webhookId: string, nowMs: number): 'entered' | number {
    const circuit = this.#circuits.get(webhookId) ?? { failures: 0, restUntilMs: 0, underWay: 0 }
    const isDead = circuit.failures >= FAILURES
    const restMs = circuit.restUntilMs - nowMs
    // Further away than any rest: the clock was set back since.
    if (isDead && restMs > 0 && restMs <= REST_MAX_MS) return restMs
    if (circuit.underWay >= (isDead ? 1 : AT_ONCE)) return BUSY_MS
    circuit.underWay += 1
    this.#circuits.set(webhookId, circuit)
    return 'entered'
  }

  /** Ends a message that was let through. */
  leave(webhookId: string, hasArrived: boolean, nowMs: number): void {
    const circuit = this.#circuits.get(webhookId)
    if (circuit === undefined) return
    circuit.underWay -= 1
    circuit.failures = hasArrived ? 0 : circuit.failures + 1
    const times = Math.max(0, circuit.failures - FAILURES)
    circuit.restUntilMs = nowMs + Math.min(REST_FIRST_MS * 2 ** Math.min(times, 16), REST_MAX_MS)
    if (circuit.failures === 0 && circuit.underWay === 0) this.#circuits.delete(webhookId)
  }
}
