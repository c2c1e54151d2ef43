import type { OrderSummaryRecord } from '@sotto/sdk/server'

export type Status = OrderSummaryRecord['status']

/** A message in exactly the same format as the service's webhooks. See docs/webhooks.md. */
export interface OrderEvent {
  /** The `webhook-id`. Every report of the same status change has the same id. */
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

/** The sequence number of each status in an order's life. The numbers are the same as in webhooks. */
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

/**
 * The sequence number of `expired` if another status may have been reported with the number 2 or 3. A payment can
 * expire after it was `delivering`. If a node showed a deposit that doesn't exist, the order can expire after it was
 * `deposited`.
 */
const EXPIRED_LATE = 5

/**
 * The event for a record. Undefined for a new order, because the process that created the order already knows about it.
 * `before` is the status that was seen before this one.
 */
export function eventOf(record: OrderSummaryRecord, before?: Status): OrderEvent | undefined {
  const { trackingId, status, final, reference, updatedAt: timestamp } = record
  if (status === 'awaiting_deposit' || status === 'awaiting_signature') return undefined
  const isLate = status === 'expired' && (record.payment !== undefined || before === 'deposited')
  const sequence = isLate ? EXPIRED_LATE : SEQUENCES[status]
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
