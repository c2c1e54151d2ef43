import type {
  Order,
  OrderStatusRecord,
  OrderTerms,
  QuoteRequest,
  QuoteResponse,
  TokensResponse,
} from '@sotto/sdk/server'
import {
  publishedLeaves,
  type BalanceService,
  type LeafSource,
  type PaymentOrder,
} from '@sotto/sdk/balance'

const API = '/send/api'

/** A refusal by the service. `transfer` uses its `code` and `retry` to decide what to do. */
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

/** There was no response. The service may have carried out the request. The page may safely send the request again. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

interface Answered {
  readonly status: number
  readonly isOk: boolean
  readonly answer: Record<string, unknown>
}

async function ask<Answer>(
  method: 'GET' | 'POST',
  path: string,
  body: unknown,
  { signal }: CallOptions = {},
): Promise<Answer> {
  const init = {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }
  let answered: Answered
  try {
    answered = await withinLimit(signal, async (limit) => {
      const response = await fetch(API + path, { ...init, signal: limit })
      const { status, ok: isOk } = response
      return { status, isOk, answer: (await response.json()) as Answered['answer'] }
    })
  } catch (cause) {
    signal?.throwIfAborted()
    throw new UnreachableError('The service could not be reached.', { cause })
  }
  const { status, isOk, answer } = answered
  if (!isOk) throw new ServiceRefusal(status, answer)
  return answer as Answer
}

/** Maximum time for one request and its whole answer, in milliseconds. */
const LIMIT_MS = 15_000

/**
 * Runs a request that ends when the caller's signal aborts, or after `LIMIT_MS`. A service that accepts a request and
 * never answers could otherwise stop a transfer before the transfer asks the chain. `AbortSignal.any` isn't used,
 * because some browsers for which the page is built lack it.
 */
async function withinLimit<Result>(
  given: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  given?.throwIfAborted()
  const stop = new AbortController()
  const end = () => stop.abort(given?.reason)
  const timer = setTimeout(end, LIMIT_MS)
  given?.addEventListener('abort', end, { once: true })
  try {
    return await work(stop.signal)
  } finally {
    clearTimeout(timer)
    given?.removeEventListener('abort', end)
  }
}

const PATIENCE = 4
const PAUSE_MS = 1_500

/** Retries if there was no response, or if the service says that the same request may be sent again. */
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
  /** The URL of the page's node. Null if the page reaches a node through this service's relay. */
  readonly rpcUrl: string | null
}

export const readConfig = (): Promise<PageConfig> => ask('GET', '/config', undefined)
export const readTokens = (): Promise<TokensResponse> =>
  patiently(() => ask('GET', '/tokens', undefined))
export const askQuote = (request: QuoteRequest, signal: AbortSignal): Promise<QuoteResponse> =>
  ask('POST', '/quote', request, { signal })

/** The URL of the page's node: its own node, or this service's relay. */
export const nodeUrl = ({ rpcUrl }: PageConfig): string => rpcUrl ?? `${location.origin}${API}/node`

/** The leaves of the tree that this service publishes. They are compared with the chain. */
export const ownLeaves = (): LeafSource => publishedLeaves(`${location.origin}/transfer/v1/leaves`)

interface WithOrder<Content> {
  readonly order: Content
}

/** The service in the form that `transfer` and balances need. `heard` is called with each status. */
export function pageService(heard: (status: OrderStatusRecord) => void): BalanceService {
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
    orderPayment: async (terms, options) =>
      (await patiently(() => ask<WithOrder<PaymentOrder>>('POST', '/payments', terms, options)))
        .order,
    signPayment: async (trackingId, signed, options) =>
      told(await patiently(() => ask('POST', `${of(trackingId)}/signature`, signed, options))),
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
