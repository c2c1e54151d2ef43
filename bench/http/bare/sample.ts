import type { OrderResponse, QuoteResponse, StatusResponse } from '@sotto/contract'

/** The product's requests and responses. The baseline uses the same ones. */
export interface Sample {
  /** The URL of a PostgreSQL, or the folder of an embedded database. */
  readonly database: string
  readonly usdc: string
  readonly quote: QuoteResponse
  readonly status: StatusResponse
  /** Orders in the product's database. The baseline gets rows with the same ids and sizes. */
  readonly orders: readonly { readonly body: string; readonly answer: OrderResponse }[]
}
