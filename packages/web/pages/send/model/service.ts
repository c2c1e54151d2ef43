import type {
  Order,
  OrderStatusRecord,
  OrderTerms,
  QuoteRequest,
  QuoteResponse,
  TokensResponse,
} from '@sotto/sdk/server'
import type { TransferService } from '@sotto/sdk/wallet'

const API = '/send/api'

/** A refusal by the service. `transfer` decides by `code` and `retry`. */
export class ServiceRefusal extends Error {
  override readonly name = 'ServiceRefusal'
  readonly code: string | undefined
  readonly retry: string | undefined
  readonly min: string | undefined
  readonly max: string | undefined
  readonly param: string | undefined
  readonly requestId: string | undefined

  constructor(status: number, body: Partial<Record<string, unknown>>) {
    super(text(body['message']) ?? `The service answered ${status}.`)
    this.code = text(body['code'])
    this.retry = text(body['retry'])
    this.min = text(body['min'])
    this.max = text(body['max'])
    this.param = text(body['param'])
    this.requestId = text(body['requestId'])
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** No answer came; whether the request was carried out is unknown, and the same may be sent again. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

async function ask<Answer>(
  method: 'GET' | 'POST',
  path: string,
  body: unknown,
  { signal }: CallOptions = {},
): Promise<Answer> {
  let response: Response
  let answer: Record<string, unknown>
  try {
    response = await fetch(API + path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    answer = (await response.json()) as Record<string, unknown>
  } catch (cause) {
    signal?.throwIfAborted()
    throw new UnreachableError('The service was not reached.', { cause })
  }
  if (!response.ok) throw new ServiceRefusal(response.status, answer)
  return answer as Answer
}

const PATIENCE = 4
const PAUSE_MS = 1_500

/** Asks again where nothing answered or the service says that the same may be asked again. */
async function patiently<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const isPassing =
        error instanceof UnreachableError ||
        (error instanceof ServiceRefusal && error.retry === 'unchanged')
      if (!isPassing || attempt === PATIENCE) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt))
    }
  }
}

export interface PageConfig {
  readonly cluster: 'localnet' | 'devnet' | 'mainnet'
  readonly programId: string
  /** Null where nodes are asked through this service. */
  readonly rpcUrl: string | null
}

export const readConfig = (): Promise<PageConfig> => ask('GET', '/config', undefined)
export const readTokens = (): Promise<TokensResponse> =>
  patiently(() => ask('GET', '/tokens', undefined))
export const askQuote = (request: QuoteRequest, signal: AbortSignal): Promise<QuoteResponse> =>
  ask('POST', '/quote', request, { signal })

/** Where the page's node answers: a URL of its own, or the relay of this service. */
export const nodeUrl = ({ rpcUrl }: PageConfig): string => rpcUrl ?? `${location.origin}${API}/node`

interface WithOrder<Content> {
  readonly order: Content
}

/**
 * The service as `transfer` takes it. `heard` is told each status that comes by.
 */
export function pageService(heard: (status: OrderStatusRecord) => void): TransferService {
  const of = (trackingId: string) => `/orders/${encodeURIComponent(trackingId)}`
  const told = ({ order }: WithOrder<OrderStatusRecord>) => {
    heard(order)
    return order
  }
  return {
    quote: (request, options) =>
      patiently(() => ask<QuoteResponse>('POST', '/quote', request, options)),
    createOrder: async (terms: OrderTerms, options) =>
      (await patiently(() => ask<WithOrder<Order>>('POST', '/orders', terms, options))).order,
    refresh: async (trackingId, options) =>
      (
        await patiently(() =>
          ask<WithOrder<Order>>('POST', `${of(trackingId)}/refresh`, {}, options),
        )
      ).order,
    hintDeposit: async (trackingId, signature, options) =>
      told(await patiently(() => ask('POST', `${of(trackingId)}/deposit`, { signature }, options))),
    status: async (trackingId, options) =>
      told(await patiently(() => ask('GET', of(trackingId), undefined, options))),
  }
}
