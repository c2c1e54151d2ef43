import { setTimeout as sleep } from 'node:timers/promises'

interface Refusal {
  readonly code: string
  readonly retry: string
}

/** A refusal that a partner's backend treats as final for this request. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: string
  readonly isForNewQuote: boolean

  constructor(path: string, status: number, { code, retry }: Refusal) {
    super(`${path} answered ${status} ${code}`)
    this.code = code
    this.isForNewQuote = retry === 'new_quote'
  }
}

const UNCOVERED = 'LIQUIDITY_UNAVAILABLE'
const PAUSE_MS = 400
/** Maximum number of tries: enough for a restart of the API and for an outage of a node. */
const TRIES = 150

/**
 * The service's HTTP interface for a client that follows the contract. The client repeats a request unchanged after a
 * broken connection, or after an error whose `retry` is `unchanged`.
 */
export class ServiceClient {
  readonly #baseUrl: string
  readonly #apiKey: string
  readonly #limits: readonly string[]
  /** Answers that must never occur: the status 500, and the error code for missing liquidity. */
  readonly complaints: string[] = []

  /**
   * `limits` contains the error codes for an account's own limits. After one of these errors, the client doesn't repeat
   * the request and reports no complaint.
   */
  constructor(baseUrl: string, apiKey: string, limits: readonly string[] = []) {
    this.#baseUrl = baseUrl
    this.#apiKey = apiKey
    this.#limits = limits
  }

  async call<Body>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Body> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#once(method, path, body, headers)
      if (answer?.ok === true) return JSON.parse(answer.text) as Body
      const refusal = answer && (JSON.parse(answer.text) as Refusal)
      if (answer !== undefined && answer.status === 500) this.complaints.push(`${path}: 500`)
      if (refusal !== undefined) {
        const isLimit = this.#limits.includes(refusal.code)
        if (isLimit || refusal.retry !== 'unchanged') {
          throw new Refused(path, answer?.status ?? 0, refusal)
        }
        // The relayers and the inventory have more than enough money. So this refusal means that other accounts' unpaid
        // orders have reserved that money.
        if (refusal.code === UNCOVERED) this.complaints.push(`${path}: ${UNCOVERED}`)
      }
      if (tries >= TRIES) throw new Error(`${path} was never answered`)
      await sleep(PAUSE_MS)
    }
  }

  /** Sends a request once. Returns undefined if the connection broke. The request's outcome is then unknown. */
  async #once(
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ ok: boolean; status: number; text: string } | undefined> {
    try {
      const response = await fetch(`${this.#baseUrl}/transfer/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${this.#apiKey}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { ok: response.ok, status: response.status, text: await response.text() }
    } catch {
      return undefined
    }
  }
}
