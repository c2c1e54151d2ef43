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
  type AskedPrivacy,
  type PrivacyInWords,
  type StatedPrivacy,
} from './src/privacy/privacy-in-words.ts'
export type { SottoWebhooks, WebhookTest, WebhookWithSecret } from './src/client/webhooks.ts'

export interface SottoClientOptions {
  /** The service's URL, without a path. */
  readonly baseUrl: string
  /** Keep the key on a server: anyone who has it can make orders in the account's name. */
  readonly apiKey: string
  readonly fetch?: Fetch
  /** Time limit of each attempt, in milliseconds. The default is 15,000 (15 s). */
  readonly timeoutMs?: number
  /** Maximum number of attempts. The default is 5. */
  readonly attempts?: number
  /** Maximum total waiting time between attempts, in milliseconds. The default is 60,000 (60 s). */
  readonly retryBudgetMs?: number
  readonly host?: Host
}

/** A quote, and the request that it was made for. */
export interface OrderTerms {
  /** The quote exactly as received. The service refuses a changed quote. */
  readonly quote: Quote
  readonly senderAddress: string
  readonly recipientAddress: string
  readonly feeBps?: number | undefined
  readonly feeRecipientAddress?: string | undefined
  /** The partner's own reference for the order. */
  readonly reference?: string | undefined
  /** Set `balanceKey` and the next two members only for the top-up of a balance. */
  readonly balanceKey?: string | undefined
  readonly balanceSeconds?: number | undefined
  readonly autoReturn?: boolean | undefined
}

export interface CreateOrderOptions extends CallOptions {
  /**
   * Use a different key for each order. The default is the quote's id. With the default key, a process that knows
   * only the quote gets the same order again when it retries.
   */
  readonly idempotencyKey?: string
}

/** The service's interface. Every call may throw SottoApiError or SottoTransportError. */
export interface SottoClient {
  readonly quote: (request: QuoteRequest, options?: CallOptions) => Promise<QuoteResponse>
  readonly createOrder: (terms: OrderTerms, options?: CreateOrderOptions) => Promise<Order>
  /** Orders a payment from a balance. The response contains the message that the balance's owner must sign. */
  readonly orderPayment: (
    terms: PaymentOrderTerms,
    options?: CreateOrderOptions,
  ) => Promise<PaymentOrder>
  /** Sends the owner's signature. You may safely send the same signature again. */
  readonly signPayment: (
    trackingId: string,
    signed: SignatureRequest,
    options?: CallOptions,
  ) => Promise<OrderStatusRecord>
  /** Returns a new transaction for the same deposit. At most one of an order's transactions can land. */
  readonly refresh: (trackingId: string, options?: CallOptions) => Promise<Order>
  /**
   * Asks the service to look for the deposit on the chain now. Without this call the service also finds the deposit,
   * but later.
   */
  readonly hintDeposit: (
    trackingId: string,
    signature?: string,
    options?: CallOptions,
  ) => Promise<OrderStatusRecord>
  readonly status: (trackingId: string, options?: CallOptions) => Promise<OrderStatusRecord>
  /**
   * Yields the order's current status and each later status, and ends after a final status. If the connection is lost,
   * the iteration reconnects and continues after the last event. The iteration may skip a status that lasted only
   * briefly.
   */
  readonly events: (trackingId: string, options?: EventsOptions) => AsyncIterable<StatusEvent>
  readonly tokens: (options?: CallOptions) => Promise<TokensResponse>
  /** The account's orders, newest first, page by page. */
  readonly orders: (
    options?: CallOptions & { readonly pageSize?: number },
  ) => AsyncIterable<OrderSummaryRecord>
  /** The account's webhook endpoints, which receive events of the account's orders. */
  readonly webhooks: SottoWebhooks
}

/** Creates a client of the service. The client retries a request only if the error allows a retry. */
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

/** Returns the settings with all defaults filled in. */
function settle(options: SottoClientOptions): ClientSettings {
  const { apiKey, timeoutMs = 15_000, attempts = 5, retryBudgetMs = 60_000 } = options
  const { host = systemHost, fetch = (url, init) => globalThis.fetch(url, init) } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  return { baseUrl, apiKey, timeoutMs, attempts, retryBudgetMs, host, fetch }
}
