import type { CreateOrderRequest } from '@sotto/contract'
import type { Note } from '@sotto/protocol'

/** An order as its customer knows it. */
export interface PlacedOrder {
  readonly trackingId: string
  /** The order's id in hex, as the chain's accounts are keyed. */
  readonly key: string
  readonly transaction: string
  readonly note: Note
  readonly terms: CreateOrderRequest
  /** The chain's clock when its customer got it, seconds since 1970. */
  readonly answeredAt: bigint
}
