import type { CreateOrderRequest } from '@sotto/contract'
import type { Note } from '@sotto/protocol'

/** The customer's data on an order. */
export interface PlacedOrder {
  readonly trackingId: string
  /** The order's id in hex. It is also the key of the order's accounts on the chain. */
  readonly key: string
  readonly transaction: string
  readonly note: Note
  readonly terms: CreateOrderRequest
  /** The chain's clock when the customer got the order, seconds since 1970. */
  readonly answeredAt: bigint
}
