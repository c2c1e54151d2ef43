import { parseWhole } from '@sotto/protocol'
import { isFinal, type OrderStatus } from './order-state.ts'
import { decodeTrackingId, encodeTrackingId } from './tracking-id.ts'

/**
 * The sequence number of each status. On every path of an order through the statuses, each later status has a higher
 * number. The numbers depend only on the status, so that a stream, a webhook and a retry by another process use the
 * same numbers.
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
 * The sequence number of `expired` in two cases: for a payment that was `delivering`, and for an order that was
 * `deposited` because a node had invented its deposit.
 */
export const EXPIRED_LATE = 5

/** The sequence number of a status. `isLate` is true if `expired` isn't the order's second status. */
export const sequenceOf = (status: OrderStatus, isLate = false): number =>
  isLate && status === 'expired' ? EXPIRED_LATE : SEQUENCES[status]

/**
 * The sequence numbers of the statuses that are sent. An order's first status isn't sent, because the client already
 * knows it.
 */
export const SENT_SEQUENCES: readonly number[] = [2, 3, 4, 5]

/** The progress of sending one event to one endpoint. */
export interface WebhookSend {
  readonly webhookId: string
  readonly state: 'pending' | 'delivered' | 'failed'
  /** Number of times that the event was sent. */
  readonly attempts: number
  readonly lastAtMs: number | undefined
  /** The HTTP status of the endpoint's last answer; undefined if there was no answer. */
  readonly lastStatus: number | undefined
}

/**
 * An event of an order, which is sent to the account's endpoints: a new status, or a notice that a balance ends soon.
 */
export interface OrderEvent {
  readonly orderId: Uint8Array
  readonly accountId: string
  readonly status: OrderStatus
  /** True for a payment out of a balance. */
  readonly isPayment?: boolean | undefined
  /** True for an order that expires because a node had invented its deposit. */
  readonly wasDeposited?: boolean | undefined
  /**
   * For a notice that a balance ends soon: the end of the balance by the wall clock, in milliseconds. Undefined for a
   * new status.
   */
  readonly endsAtMs?: number | undefined
  /** True if payments have postponed the balance's end to `endsAtMs`. */
  readonly isRenewed?: true | undefined
  readonly reference: string | undefined
  readonly atMs: number
  /**
   * Undefined until a worker processes the event for the first time. The worker then chooses all endpoints that the
   * account has at that time.
   */
  readonly sends: readonly WebhookSend[] | undefined
}

/** The number of the first notice that a balance ends soon. It isn't the sequence number of any status. */
const ENDING = 6
/**
 * Number of different message numbers for the notices of postponed ends. Each of 90 consecutive days has its own
 * number, and the ends of a balance are on different days.
 */
const TURNS = 90
/** The numbers of all messages that a balance may have. Other orders have no notices. */
export const MESSAGE_NUMBERS: readonly number[] = [
  ...SENT_SEQUENCES,
  ...Array.from({ length: TURNS + 1 }, (_, turn) => ENDING + turn),
]
const DAY_MS = 86_400_000

/** The day of a balance's end, in whole days since 1970. */
const dayOf = (endsAtMs: number): number => Math.floor(endsAtMs / DAY_MS)

/** The message number of a notice for an end that payments have postponed to this day. */
const numberOfDay = (day: number): number => ENDING + 1 + (day % TURNS)

/**
 * The message number of a notice. Two notices of one balance have the same number only if their ends are 90 days or
 * more apart. After 30 days, a balance's data is sealed under a newer epoch's key. So the names of two such notices'
 * rows are computed with different keys.
 */
const numberOfNotice = (endsAtMs: number, isRenewed: true | undefined): number =>
  isRenewed === true ? numberOfDay(dayOf(endsAtMs)) : ENDING

type Numbered = Pick<OrderEvent, 'status' | 'isPayment' | 'wasDeposited' | 'endsAtMs' | 'isRenewed'>

/** The sequence number of the status that a message reports. */
export const sequenceOfEvent = ({ status, isPayment, wasDeposited }: Numbered): number =>
  sequenceOf(status, isPayment === true || wasDeposited === true)

/**
 * The number in the name of the stored row of an order's message: the status's sequence number, or the number of the
 * notice.
 */
export const messageNumber = (event: Numbered): number =>
  event.endsAtMs === undefined
    ? sequenceOfEvent(event)
    : numberOfNotice(event.endsAtMs, event.isRenewed)

interface Written extends Omit<OrderEvent, 'orderId' | 'sends'> {
  readonly orderId: string
  readonly sends?: readonly WebhookSend[]
}

/** Serialises an event for its sealed column. */
export function encodeOrderEvent({ orderId, ...rest }: OrderEvent): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ orderId: encodeTrackingId(orderId), ...rest }))
}

/**
 * Reads an event from its sealed column. The seal authenticates the bytes, so only this file can have written them.
 * @throws Error for other bytes.
 */
export function decodeOrderEvent(clear: Uint8Array): OrderEvent {
  const { orderId, sends, ...rest } = JSON.parse(new TextDecoder().decode(clear)) as Written
  const id = decodeTrackingId(orderId)
  if (id === undefined) throw new Error('the event has no order id')
  const full = sends?.map((one) => ({
    ...one,
    lastAtMs: one.lastAtMs,
    lastStatus: one.lastStatus,
  }))
  return { ...rest, reference: rest.reference, orderId: id, sends: full }
}

const PREFIX = 'evt_'

/**
 * The id of an event's message. It is the same for every endpoint, attempt and process: `evt_`, the order's id and the
 * status's sequence number. For a notice, the last part is 6. If payments have postponed the end, the day of the end
 * follows. So each notice of a balance has its own id.
 */
export function eventIdOf(event: Numbered & Pick<OrderEvent, 'orderId'>): string {
  const { orderId, endsAtMs, isRenewed } = event
  const id = `${PREFIX}${encodeTrackingId(orderId).slice('tr_'.length)}`
  if (endsAtMs === undefined) return `${id}_${sequenceOfEvent(event)}`
  return isRenewed === true ? `${id}_${ENDING}_${dayOf(endsAtMs)}` : `${id}_${ENDING}`
}

/** The order's id and the message number from the id of an event. Undefined if the text can't be the id of an event. */
export function parseEventId(
  text: string,
): { readonly orderId: Uint8Array; readonly number: number } | undefined {
  const parts = /^evt_([A-Za-z0-9_-]{22})_(?:([2-6])|6_([1-9][0-9]{0,7}))$/.exec(text) ?? []
  const [, id = '', number, day = '0'] = parts
  const orderId = decodeTrackingId(`tr_${id}`)
  if (orderId === undefined) return undefined
  return {
    orderId,
    number: number === undefined ? numberOfDay(parseWhole(day)) : parseWhole(number),
  }
}

/**
 * The body of an event's message. Its bytes are the same in every attempt. It contains only the event and its order's
 * identifiers. Amounts, accounts and signatures are only in the status record.
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
