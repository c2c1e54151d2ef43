import type { OrderResponse, QuoteResponse, StatusResponse } from '@sotto/contract'

/** The product's requests and responses; the baseline uses the same shapes. */
export interface Sample {
  /** A PostgreSQL's URL, or the folder of an embedded one. */
  readonly database: string
  readonly usdc: string
  readonly quote: QuoteResponse
  readonly status: StatusResponse
  /** Orders in the product's database; the baseline gets rows with the same ids and sizes. */
  readonly orders: readonly { readonly body: string; readonly answer: OrderResponse }[]
}
