export interface Quote {
  readonly amountIn: string
  readonly amountOut: string
  readonly fee: string
  readonly protocolFee: string
  readonly networkFee: string
  readonly feeBreakdown: { readonly serviceFee: string; readonly partnerFee: string }
  readonly quoteId: string
  readonly duration: number
}

export interface Order {
  readonly trackingId: string
  readonly transaction: string
  readonly amountIn: string
  readonly amountOut: string
  readonly expiration: string
  /** The last time at which the sender can pay the order. For a swap, the sender has three minutes. */
  readonly payableUntil?: string | undefined
  readonly lastValidBlockHeight: number
  readonly recovery: string
}

export interface Settled {
  readonly signature: string
  readonly amount: string
}

export interface Status {
  readonly status: string
  readonly final: boolean
  readonly nextAction: string
  readonly delivery: Settled | null
  readonly refund: Settled | null
}

export interface TransferRequest {
  readonly amount: string
  readonly sourceAssetId: string
  readonly destinationAssetId: string
  readonly senderAddress: string
  readonly recipientAddress: string
  readonly mode?: 'exact_in' | 'exact_out'
  readonly feeBps?: number
  readonly feeRecipientAddress?: string
  readonly minDelaySeconds?: number
  readonly maxDelaySeconds?: number
}

/** An answer and its exact bytes. The answer to a retry must have the same bytes. */
export interface Answer<Body> {
  readonly body: Body
  readonly bytes: string
  readonly replayed: boolean
}

/** The service's HTTP interface, for a partner's backend that uses only `fetch`. */
export class ServiceApi {
  readonly #baseUrl: string
  readonly #apiKey: string

  constructor(baseUrl: string, apiKey: string) {
    this.#baseUrl = baseUrl
    this.#apiKey = apiKey
  }

  async quote(
    request: TransferRequest,
  ): Promise<{ quote: Quote; privacy: { anonymitySet: number } }> {
    return (
      await this.#call<{ quote: Quote; privacy: { anonymitySet: number } }>(
        'POST',
        '/quote',
        request,
      )
    ).body
  }

  order(quote: Quote, request: TransferRequest, key: string): Promise<Answer<{ order: Order }>> {
    const { senderAddress, recipientAddress, feeBps, feeRecipientAddress } = request
    const partner = feeBps === undefined ? {} : { feeBps, feeRecipientAddress }
    const body = { quote, senderAddress, recipientAddress, ...partner }
    return this.#call('POST', '/order', body, { 'X-Idempotency-Key': key })
  }

  async refresh(trackingId: string): Promise<Order> {
    return (await this.#call<{ order: Order }>('POST', `/order/${trackingId}/refresh`, {})).body
      .order
  }

  async hintDeposit(trackingId: string, signature: string): Promise<Status> {
    const body = { trackingId, signature }
    return (await this.#call<{ order: Status }>('POST', '/deposit', body)).body.order
  }

  async status(trackingId: string): Promise<Status> {
    return (await this.#call<{ order: Status }>('GET', `/status/${trackingId}`)).body.order
  }

  async #call<Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(`${this.#baseUrl}/transfer/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.#apiKey}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const bytes = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${bytes}`)
    return {
      body: JSON.parse(bytes) as Body,
      bytes,
      replayed: response.headers.get('idempotent-replayed') === 'true',
    }
  }
}
