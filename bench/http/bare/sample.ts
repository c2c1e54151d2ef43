import type { OrderResponse, QuoteResponse, StatusResponse } from '@sotto/contract'

/** The product's requests and responses. The baseline uses them too. */
export interface Sample {
  /** The URL of a PostgreSQL database, or the folder of an embedded database, for the baseline's rows. */
  readonly database: string
  readonly usdc: string
  readonly quote: QuoteResponse
  readonly status: StatusResponse
  /** Orders in the product's database. The baseline's database gets rows with the same ids and sizes. */
  readonly orders: readonly { readonly body: string; readonly answer: OrderResponse }[]
}
