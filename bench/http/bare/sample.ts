import type { OrderResponse, QuoteResponse, StatusResponse } from '@sotto/contract'

/** The product's requests and responses, whose shapes the baseline repeats. */
export interface Sample {
  /** A PostgreSQL's URL, or the folder of an embedded one. */
  readonly database: string
  readonly usdc: string
  readonly quote: QuoteResponse
  readonly status: StatusResponse
  /** Orders that the product holds; the baseline gets rows of the same ids and sizes. */
  readonly orders: readonly { readonly body: string; readonly answer: OrderResponse }[]
}
