import { setTimeout as sleep } from 'node:timers/promises'

/** An answer that a partner's backend takes as final for this request. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: string

  constructor(path: string, status: number, code: string) {
    super(`${path} answered ${status} ${code}`)
    this.code = code
  }
}

const PAUSE_MS = 400
/** Long enough for a restart of the API and for a node that is down for a while. */
const TRIES = 150

/**
 * The service's HTTP interface for a client that does what the contract tells it: the same request
 * again after a broken connection, a 503 or a 409 that says `unchanged`.
 */
export class ServiceClient {
  readonly #baseUrl: string
  readonly #apiKey: string
  /** Answers that should never be given, such as 500. */
  readonly complaints: string[] = []

  constructor(baseUrl: string, apiKey: string) {
    this.#baseUrl = baseUrl
    this.#apiKey = apiKey
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
      const refusal = answer && (JSON.parse(answer.text) as { code: string; retry: string })
      if (answer !== undefined && answer.status === 500) this.complaints.push(`${path}: 500`)
      if (refusal !== undefined && refusal.retry !== 'unchanged') {
        throw new Refused(path, answer?.status ?? 0, refusal.code)
      }
      if (tries >= TRIES) throw new Error(`${path} was never answered`)
      await sleep(PAUSE_MS)
    }
  }

  /** Undefined where the connection broke: nobody knows what became of the request. */
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
