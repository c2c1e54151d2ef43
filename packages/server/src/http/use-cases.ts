import type {
  ListOrdersResponse,
  OrderResponse,
  QuoteRequest,
  QuoteResponse,
  StatusResponse,
  TokensResponse,
} from '@sotto/contract'
import type { Account } from '../ports/account-store.ts'
import type { Caller } from '../usecases/authenticate.ts'
import type { OrderAnswer, OrderRequest } from '../usecases/create-order.ts'

/** What the HTTP side can ask for, with everything else already bound. */
export interface UseCases {
  readonly authenticate: (header: string | undefined) => Promise<Caller>
  readonly quoteTransfer: (account: Account, request: QuoteRequest) => Promise<QuoteResponse>
  readonly createOrder: (request: OrderRequest) => Promise<OrderAnswer>
  readonly refreshTransaction: (account: Account, trackingId: string) => Promise<OrderResponse>
  readonly readStatus: (accountId: string, trackingId: string) => Promise<StatusResponse>
  readonly hintDeposit: (accountId: string, trackingId: string) => Promise<StatusResponse>
  readonly listTokens: () => TokensResponse
  readonly listOrders: (
    accountId: string,
    query: { readonly cursor?: string | undefined; readonly limit?: string | undefined },
  ) => Promise<ListOrdersResponse>
  /** True where chain and database answered lately. */
  readonly isReady: () => Promise<boolean>
}
