import type {
  Order,
  OrderResponse,
  OrderStatusRecord,
  PaymentOrder,
  PaymentOrderResponse,
  Quote,
  QuoteRequest,
  QuoteResponse,
  SignatureRequest,
  StatusResponse,
  TokensResponse,
} from '@sotto/contract'
import type { Fetch } from './src/client/attempt.ts'
import { caller, type CallOptions, type ClientSettings } from './src/client/call.ts'
import { statusEvents, type EventsOptions, type StatusEvent } from './src/client/event-stream.ts'
import { eachOrder, type OrdersPage, type OrderSummaryRecord } from './src/client/list-orders.ts'
import type { PaymentOrderTerms } from './src/balance/payment-order.ts'
import { webhooksOf, type SottoWebhooks } from './src/client/webhooks.ts'
import { systemHost, type Host } from './src/host/host.ts'

export type {
  ErrorCode,
  Order,
  OrderStatusRecord,
  Quote,
  QuoteRequest,
  QuoteResponse,
  Retry,
  Token,
  TokensResponse,
  WebhookDelivery,
  WebhookEvent,
  WebhookRecord,
} from '@sotto/contract'
export type { CallOptions } from './src/client/call.ts'
export { SottoApiError, SottoTransportError } from './src/client/errors.ts'
export type { EventsOptions, StatusEvent } from './src/client/event-stream.ts'
export type { OrderSummaryRecord } from './src/client/list-orders.ts'
export {
  verifyWebhook,
  WebhookVerificationError,
  type VerifiedWebhook,
  type WebhookHeaders,
  type WebhookProblem,
  type VerifyWebhookOptions,
} from './src/client/verify-webhook.ts'
export {
  linkInWords,
  privacyInWords,
  type AskedCrowd,
  type PrivacyInWords,
  type StatedPrivacy,
} from './src/privacy/privacy-in-words.ts'
export type { SottoWebhooks, WebhookTest, WebhookWithSecret } from './src/client/webhooks.ts'

export interface SottoClientOptions {
  /** The service's URL, without a path. */
  readonly baseUrl: string
  /** Keep the key on a server: its holder can make orders in the account's name. */
  readonly apiKey: string
  readonly fetch?: Fetch
  /** Time limit of each attempt; the default is 15 s. */
  readonly timeoutMs?: number
  /** Total number of attempts; the default is 5. */
  readonly attempts?: number
  /** Total waiting time between attempts; the default is 60 s. */
  readonly retryBudgetMs?: number
  readonly host?: Host
}

/** A quote, and the request that it was made for. */
export interface OrderTerms {
  /** The quote as received. The service refuses a changed quote. */
  readonly quote: Quote
  readonly senderAddress: string
  readonly recipientAddress: string
  readonly feeBps?: number | undefined
  readonly feeRecipientAddress?: string | undefined
  /** The partner's own name for the order. */
  readonly reference?: string | undefined
  /** The next three members are only for the top-up of a balance. */
  readonly balanceKey?: string | undefined
  readonly balanceSeconds?: number | undefined
  readonly autoReturn?: boolean | undefined
}

export interface CreateOrderOptions extends CallOptions {
  /**
   * Each order needs a key of its own. The default is the quote's id. With it, a process that knows only the quote
   * finds the same order when it retries.
   */
  readonly idempotencyKey?: string
}

/** The service's interface. Every call may throw SottoApiError and SottoTransportError. */
export interface SottoClient {
  readonly quote: (request: QuoteRequest, options?: CallOptions) => Promise<QuoteResponse>
  readonly createOrder: (terms: OrderTerms, options?: CreateOrderOptions) => Promise<Order>
  /** Orders a payment out of a balance. The answer contains the message that its owner must sign. */
  readonly orderPayment: (
    terms: PaymentOrderTerms,
    options?: CreateOrderOptions,
  ) => Promise<PaymentOrder>
  /** Sends the owner's signature. Sending the same signature again is harmless. */
  readonly signPayment: (
    trackingId: string,
    signed: SignatureRequest,
    options?: CallOptions,
  ) => Promise<OrderStatusRecord>
  /** Returns a new transaction for the same deposit. At most one of an order's transactions can land. */
  readonly refresh: (trackingId: string, options?: CallOptions) => Promise<Order>
  /** Asks the service to check the chain now. Without this call the service also finds the deposit, but later. */
  readonly hintDeposit: (
    trackingId: string,
    signature?: string,
    options?: CallOptions,
  ) => Promise<OrderStatusRecord>
  readonly status: (trackingId: string, options?: CallOptions) => Promise<OrderStatusRecord>
  /**
   * The order's current status and each later one. The iteration ends after a final status. After a lost connection, it
   * reconnects and continues after the last event. A status that lasted only briefly may be skipped.
   */
  readonly events: (trackingId: string, options?: EventsOptions) => AsyncIterable<StatusEvent>
  readonly tokens: (options?: CallOptions) => Promise<TokensResponse>
  /** The account's orders, newest first, page by page. */
  readonly orders: (
    options?: CallOptions & { readonly pageSize?: number },
  ) => AsyncIterable<OrderSummaryRecord>
  /** The endpoints that receive events of the account's orders. */
  readonly webhooks: SottoWebhooks
}

/** Creates a client of the service. It repeats a request only if the error allows it. */
export function createSottoClient(options: SottoClientOptions): SottoClient {
  const settings = settle(options)
  const call = caller(settings)
  const { POST, GET } = { POST: 'POST', GET: 'GET' } as const
  return {
    quote: (body, { signal } = {}) => call(POST, '/transfer/v1/quote', { body }, signal),
    createOrder: async (terms, { idempotencyKey, signal } = {}) => {
      const headers = { 'x-idempotency-key': idempotencyKey ?? terms.quote.quoteId }
      const sent = { body: terms, headers }
      return (await call<OrderResponse>(POST, '/transfer/v1/order', sent, signal)).order
    },
    orderPayment: async (terms, { idempotencyKey, signal } = {}) => {
      const headers = { 'x-idempotency-key': idempotencyKey ?? terms.quote.quoteId }
      const sent = { body: terms, headers }
      return (await call<PaymentOrderResponse>(POST, '/transfer/v1/payment', sent, signal)).order
    },
    signPayment: async (trackingId, body, { signal } = {}) => {
      const path = `/transfer/v1/payment/${encodeURIComponent(trackingId)}/signature`
      return (await call<StatusResponse>(POST, path, { body }, signal)).order
    },
    refresh: async (trackingId, { signal } = {}) => {
      const path = `/transfer/v1/order/${encodeURIComponent(trackingId)}/refresh`
      return (await call<OrderResponse>(POST, path, { body: {} }, signal)).order
    },
    hintDeposit: async (trackingId, signature, { signal } = {}) => {
      const body = { trackingId, signature }
      return (await call<StatusResponse>(POST, '/transfer/v1/deposit', { body }, signal)).order
    },
    status: async (trackingId, { signal } = {}) => {
      const path = `/transfer/v1/status/${encodeURIComponent(trackingId)}`
      return (await call<StatusResponse>(GET, path, {}, signal)).order
    },
    events: (trackingId, events = {}) => {
      const { baseUrl, apiKey, fetch, host, attempts } = settings
      const url = `${baseUrl}/transfer/v1/status/${encodeURIComponent(trackingId)}/events`
      const headers = { authorization: `Bearer ${apiKey}` }
      const request = { method: GET, url, baseUrl, headers, body: undefined }
      return statusEvents({ fetch, host, attempts, request }, events)
    },
    tokens: ({ signal } = {}) => call(GET, '/transfer/v1/tokens', {}, signal),
    orders: ({ signal, pageSize = 50 } = {}) =>
      eachOrder((cursor) => {
        const query = new URLSearchParams({ limit: `${pageSize}` })
        if (cursor !== undefined) query.set('cursor', cursor)
        return call<OrdersPage>(GET, `/transfer/v1/orders?${query}`, {}, signal)
      }),
    webhooks: webhooksOf(call),
  }
}

/** Fills in the defaults. */
function settle(options: SottoClientOptions): ClientSettings {
  const { apiKey, timeoutMs = 15_000, attempts = 5, retryBudgetMs = 60_000 } = options
  const { host = systemHost, fetch = (url, init) => globalThis.fetch(url, init) } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  return { baseUrl, apiKey, timeoutMs, attempts, retryBudgetMs, host, fetch }
}
