import type { OrderStatusRecord } from '@sotto/sdk/server'

/** An order has become something else. */
export interface OrderEvent {
  /** The same for the same change, however often it is told. */
  readonly id: string
  readonly type: `order.${OrderStatusRecord['status']}`
  readonly timestamp: string
  readonly data: OrderStatusRecord
}

/** What an order's record tells, as an event. */
export function eventOf(data: OrderStatusRecord): OrderEvent {
  const { trackingId, status, updatedAt: timestamp } = data
  return { id: `${trackingId}.${status}`, type: `order.${status}`, timestamp, data }
}
