import type { OrderSummaryRecord } from '@sotto/sdk/server'

type Status = OrderSummaryRecord['status']

/** A message in exactly the same format as the service's webhooks. See docs/webhooks.md. */
export interface OrderEvent {
  /** The `webhook-id`. Every report of the same change has the same id. */
  readonly id: string
  readonly type: `order.${Status}`
  readonly timestamp: string
  readonly data: {
    readonly trackingId: string
    readonly status: Status
    readonly final: boolean
    readonly sequence: number
    readonly reference?: string
  }
}

/**
 * The sequence number of each status in an order's life. The numbers are the same as in webhooks, with one exception:
 * if an order expires because a node had invented its deposit, webhooks give `expired` the number 5.
 */
const SEQUENCES: Readonly<Record<Status, number>> = {
  awaiting_deposit: 1,
  awaiting_signature: 1,
  deposited: 2,
  expired: 2,
  delivering: 3,
  refunding: 4,
  delivered: 5,
  refunded: 5,
}

/** The sequence number of `expired` for a payment. A payment can expire after it was `delivering`. */
const EXPIRED_PAYMENT = 5

/**
 * The event for a record. Undefined for a new order, because the program that created the order already knows about
 * it.
 */
export function eventOf(record: OrderSummaryRecord): OrderEvent | undefined {
  const { trackingId, status, final, reference, updatedAt: timestamp } = record
  if (status === 'awaiting_deposit' || status === 'awaiting_signature') return undefined
  const isExpiredPayment = record.payment !== undefined && status === 'expired'
  const sequence = isExpiredPayment ? EXPIRED_PAYMENT : SEQUENCES[status]
  return {
    id: `evt_${trackingId.replace(/^tr_/, '')}_${sequence}`,
    type: `order.${status}`,
    timestamp,
    data: {
      ...{ trackingId, status, final, sequence },
      ...(reference === undefined ? {} : { reference }),
    },
  }
}
