/**
 * The first of many leave before the last are made: whoever reads is then at work while the service is,
 * and few enough wake-ups are left that they cost little.
 */
const TOGETHER_MAX = 16

/** Runs work when all that has arrived was gone through. */
export type AtEndOfTurn = (work: () => void) => void

/**
 * Sends an answer together with those made in the same turn. Each write wakes its reader, which took a
 * quarter of a busy service's time when every answer was sent alone. No answer waits longer than for the
 * requests that arrived with its own, and an idle service sends at once; without a bound, service and
 * clients would take turns working.
 */
export class ResponseBatcher {
  readonly #atEndOfTurn: AtEndOfTurn
  #leaving: (() => void)[] = []
  #isDue = false

  constructor(atEndOfTurn: AtEndOfTurn) {
    this.#atEndOfTurn = atEndOfTurn
  }

  /** `send` must not throw: no caller can catch it. */
  add(send: () => void): void {
    this.#leaving.push(send)
    if (this.#leaving.length >= TOGETHER_MAX) this.#sendAll()
    else if (!this.#isDue) {
      this.#isDue = true
      this.#atEndOfTurn(() => {
        this.#isDue = false
        this.#sendAll()
      })
    }
  }

  #sendAll(): void {
    const answers = this.#leaving
    this.#leaving = []
    for (const send of answers) send()
  }
}
