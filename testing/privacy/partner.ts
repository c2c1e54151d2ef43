/** A partner's client, which records refusals. */
export class Partner {
  readonly refusals: string[] = []
  /** Codes of the errors that the partner received. */
  readonly codes = new Set<string>()
  readonly #key: string
  baseUrl: string

  constructor(baseUrl: string, key: string) {
    this.baseUrl = baseUrl
    this.#key = key
  }

  async send(
    method: string,
    path: string,
    options: {
      readonly body?: unknown
      /** Exact bytes to send instead of a JSON body. */
      readonly text?: string
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ): Promise<{ readonly status: number; readonly json: unknown }> {
    const text =
      options.text ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(text === undefined ? {} : { body: text }),
    })
    const answer = await response.text()
    if (!response.ok) this.#refused(answer, response)
    return { status: response.status, json: answer === '' ? undefined : JSON.parse(answer) }
  }

  /**
   * Sends a request and returns the answer's body. If the service can't reach the chain in time, which happens on a
   * busy machine, repeats the request.
   *
   * @throws Error if the service refuses the request.
   */
  async ask<Body>(method: string, path: string, body?: unknown, headers = {}): Promise<Body> {
    const options = body === undefined ? { headers } : { body, headers }
    const send = () => this.send(method, `/transfer/v1${path}`, options)
    let { status, json } = await send()
    while (status === 503) {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      ;({ status, json } = await send())
    }
    if (status >= 300) throw new Error(`${path} answered ${status} ${JSON.stringify(json)}`)
    return json as Body
  }

  /** Reads a stream to its end. */
  async stream(path: string): Promise<string> {
    const headers = { authorization: `Bearer ${this.#key}` }
    return (await fetch(`${this.baseUrl}/transfer/v1${path}`, { headers })).text()
  }

  #refused(answer: string, { headers }: Response): void {
    this.refusals.push(`${JSON.stringify([...headers])}\n${answer}`)
    this.codes.add((JSON.parse(answer) as { code: string }).code)
  }
}
