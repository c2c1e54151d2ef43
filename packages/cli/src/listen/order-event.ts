import type { OrderSummaryRecord } from '@sotto/sdk/server'

type Status = OrderSummaryRecord['status']

/** A message in exactly the form of the service's webhooks; see docs/webhooks.md. */
export interface OrderEvent {
  /** The `webhook-id`, which is the same for every report of the same change. */
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

/** Each status's sequence number in an order's life, as in webhooks. */
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

/** Sequence number of `expired` for a payment, which may have been `delivering` before. */
const EXPIRED_PAYMENT = 5

/** The event for a record; undefined for a new order, which its creator already knows. */
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
