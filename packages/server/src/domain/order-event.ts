import { isFinal, type OrderStatus } from './order-state.ts'
import { decodeTrackingId, encodeTrackingId } from './tracking-id.ts'

/**
 * The sequence number of each status; the numbers rise on every path of an order. They depend only on the status, so
 * that a stream, a webhook and a retry by another process use the same numbers.
 */
const SEQUENCES: Readonly<Record<OrderStatus, number>> = {
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
 * The number of `expired` for a payment that was `delivering`, and for an order that was `deposited` because a node had
 * invented its deposit.
 */
export const EXPIRED_LATE = 5

/**
 * A status's sequence number. Later statuses have greater numbers. `isLate` is true if `expired` isn't the order's
 * second status.
 */
export const sequenceOf = (status: OrderStatus, isLate = false): number =>
  isLate && status === 'expired' ? EXPIRED_LATE : SEQUENCES[status]

/**
 * The sequence numbers of changes that are sent. The first status of an order isn't sent, because the client knows it
 * already.
 */
export const SENT_SEQUENCES: readonly number[] = [2, 3, 4, 5]

/** The state of sending one change to one endpoint. */
export interface WebhookSend {
  readonly webhookId: string
  readonly state: 'pending' | 'delivered' | 'failed'
  /** Number of times that the change was sent. */
  readonly attempts: number
  readonly lastAtMs: number | undefined
  /** The HTTP status of the endpoint's last answer; undefined if there was no answer. */
  readonly lastStatus: number | undefined
}

/** A change of an order's status. It is sent to the account's endpoints. */
export interface OrderEvent {
  readonly orderId: Uint8Array
  readonly accountId: string
  readonly status: OrderStatus
  /** True for a payment out of a balance. */
  readonly isPayment?: boolean | undefined
  /** True for an order that expires because a node had invented its deposit. */
  readonly wasDeposited?: boolean | undefined
  /**
   * For a notice that a balance ends soon: the balance's end in milliseconds of the wall clock. Undefined for a change
   * of status.
   */
  readonly endsAtMs?: number | undefined
  /** True if payments have postponed this end. */
  readonly isRenewed?: true | undefined
  readonly reference: string | undefined
  readonly atMs: number
  /** Undefined until the change's first poll, which chooses the endpoints that the account has at that time. */
  readonly sends: readonly WebhookSend[] | undefined
}

/** The number of the first notice that a balance ends soon. No status has this number. */
const ENDING = 6
/** Later ends of a balance are on different days. Each of this many consecutive days has a number of its own. */
const TURNS = 90
/** The numbers of all messages about an order. */
export const MESSAGE_NUMBERS: readonly number[] = [
  ...SENT_SEQUENCES,
  ...Array.from({ length: TURNS + 1 }, (_, turn) => ENDING + turn),
]
const DAY_MS = 86_400_000

/** The day of an end, counted from 1970. */
const dayOf = (endsAtMs: number): number => Math.floor(endsAtMs / DAY_MS)

/**
 * The number of a notice. Two notices of one balance have the same number only if their ends are 90 days or more apart.
 * The first notice's row is then named by another key, because a balance gets another key after 30 days.
 */
const numberOfNotice = (endsAtMs: number, isRenewed: true | undefined): number =>
  isRenewed === true ? ENDING + 1 + (dayOf(endsAtMs) % TURNS) : ENDING

type Numbered = Pick<OrderEvent, 'status' | 'isPayment' | 'wasDeposited' | 'endsAtMs' | 'isRenewed'>

/** The sequence number of the status that a message is about. */
export const sequenceOfEvent = ({ status, isPayment, wasDeposited }: Numbered): number =>
  sequenceOf(status, isPayment === true || wasDeposited === true)

/** The number that names the stored row of an order's message: the sequence of a change of status or of a notice. */
export const messageNumber = (event: Numbered): number =>
  event.endsAtMs === undefined
    ? sequenceOfEvent(event)
    : numberOfNotice(event.endsAtMs, event.isRenewed)

interface Written extends Omit<OrderEvent, 'orderId' | 'sends'> {
  readonly orderId: string
  readonly sends?: readonly WebhookSend[]
}

/** The content of a change's sealed column. */
export function encodeOrderEvent({ orderId, ...rest }: OrderEvent): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ orderId: encodeTrackingId(orderId), ...rest }))
}

/**
 * The change in a sealed column. The seal authenticates the bytes, so only this file can have written them. @throws
 * Error for other bytes.
 */
export function decodeOrderEvent(clear: Uint8Array): OrderEvent {
  const { orderId, sends, ...rest } = JSON.parse(new TextDecoder().decode(clear)) as Written
  const id = decodeTrackingId(orderId)
  if (id === undefined) throw new Error('the change has no order id')
  const full = sends?.map((one) => ({
    ...one,
    lastAtMs: one.lastAtMs,
    lastStatus: one.lastStatus,
  }))
  return { ...rest, reference: rest.reference, orderId: id, sends: full }
}

const PREFIX = 'evt_'

/**
 * The id of an event's message, the same for every endpoint, attempt and process: `evt_`, the order's id and the number
 * of the status. A notice has the number 6. If payments have postponed the end, the end's day follows, so that no two
 * notices of a balance have the same id.
 */
export function eventIdOf(event: Numbered & Pick<OrderEvent, 'orderId'>): string {
  const { orderId, endsAtMs, isRenewed } = event
  const id = `${PREFIX}${encodeTrackingId(orderId).slice('tr_'.length)}`
  if (endsAtMs === undefined) return `${id}_${sequenceOfEvent(event)}`
  return isRenewed === true ? `${id}_${ENDING}_${dayOf(endsAtMs)}` : `${id}_${ENDING}`
}

/** The order that an event's id names; undefined for a text that no event has as its id. */
export function orderOfEventId(text: string): Uint8Array | undefined {
  const [, id = ''] = /^evt_([A-Za-z0-9_-]{22})_(?:[2-6]|6_[1-9][0-9]{0,7})$/.exec(text) ?? []
  return decodeTrackingId(`tr_${id}`)
}

/**
 * The body of an event's message, with the same bytes in every attempt. It contains only the event and its order.
 * Amounts, accounts and signatures are only in the status record.
 */
export function eventBody(event: OrderEvent): string {
  const { orderId, status, reference, atMs, endsAtMs } = event
  const timestamp = new Date(atMs).toISOString()
  const trackingId = encodeTrackingId(orderId)
  const own = reference === undefined ? {} : { reference }
  if (endsAtMs !== undefined) {
    const endsAt = new Date(endsAtMs).toISOString()
    return JSON.stringify({
      type: 'balance.ending',
      timestamp,
      data: { trackingId, endsAt, ...own },
    })
  }
  return JSON.stringify({
    type: `order.${status}`,
    timestamp,
    data: {
      trackingId,
      status,
      final: isFinal(status),
      sequence: sequenceOfEvent(event),
      ...own,
    },
  })
}
