import type {
  ListDeliveriesResponse,
  ListOrdersResponse,
  ListWebhooksResponse,
  OrderResponse,
  QuoteRequest,
  ReplayDeliveryResponse,
  SignatureRequest,
  StatusResponse,
  TestWebhookResponse,
  TokensResponse,
  WebhookResponse,
  WebhookWithSecretResponse,
} from '@sotto/contract'
import type { Account } from '../ports/account-store.ts'
import type { MaybePromise } from '../ports/maybe-promise.ts'
import type { Caller } from '../usecases/access/authenticate.ts'
import type { TransferOrderRequest } from '../usecases/order/create-order.ts'
import type { OrderAnswer } from '../usecases/order/order-once.ts'
import type { PaymentOrderRequest } from '../usecases/payment/create-payment.ts'
import type { QuoteAnswer } from '../usecases/quote/quote-transfer.ts'
import type { LeafPage } from '../usecases/status/read-leaves.ts'
import type { StatusChange } from '../usecases/status/watch-status.ts'

interface PageQuery {
  readonly cursor?: string | undefined
  readonly limit?: string | undefined
}

/** The use cases that the HTTP API can call, with all dependencies bound. */
export interface UseCases {
  readonly authenticate: (header: string | undefined) => MaybePromise<Caller>
  readonly quoteTransfer: (account: Account, request: QuoteRequest) => Promise<QuoteAnswer>
  readonly createOrder: (request: TransferOrderRequest) => Promise<OrderAnswer>
  readonly createPayment: (request: PaymentOrderRequest) => Promise<OrderAnswer>
  readonly refreshTransaction: (account: Account, trackingId: string) => Promise<OrderResponse>
  readonly signPayment: (
    accountId: string,
    trackingId: string,
    body: SignatureRequest,
  ) => Promise<StatusResponse>
  readonly readStatus: (accountId: string, trackingId: string) => Promise<StatusResponse>
  readonly hintDeposit: (accountId: string, trackingId: string) => Promise<StatusResponse>
  readonly listTokens: () => TokensResponse
  readonly readLeaves: (from: number) => Promise<LeafPage>
  readonly listOrders: (accountId: string, query: PageQuery) => Promise<ListOrdersResponse>
  readonly watchStatus: (
    accountId: string,
    trackingId: string,
    after: number,
    signal: AbortSignal,
  ) => Promise<AsyncGenerator<StatusChange, void, undefined>>
  readonly addWebhook: (accountId: string, url: string) => Promise<WebhookWithSecretResponse>
  readonly listWebhooks: (accountId: string) => Promise<ListWebhooksResponse>
  readonly removeWebhook: (accountId: string, webhookId: string) => Promise<WebhookResponse>
  readonly rotateWebhook: (
    accountId: string,
    webhookId: string,
  ) => Promise<WebhookWithSecretResponse>
  readonly enableWebhook: (accountId: string, webhookId: string) => Promise<WebhookResponse>
  readonly testWebhook: (accountId: string, webhookId: string) => Promise<TestWebhookResponse>
  readonly listDeliveries: (
    accountId: string,
    webhookId: string,
    query: PageQuery,
  ) => Promise<ListDeliveriesResponse>
  readonly replayDelivery: (
    accountId: string,
    webhookId: string,
    deliveryId: string,
  ) => Promise<ReplayDeliveryResponse>
  /**
   * Returns the reason why the service can't accept orders now. Returns undefined if chain and database have responded
   * recently and the workers keep up with the chain.
   */
  readonly whyUnready: () => Promise<string | undefined>
}
