import { epochStartMs } from '../../../domain/epoch.ts'
import { encodeOrderEvent, messageNumber } from '../../../domain/order-event.ts'
import type { OrderStatus } from '../../../domain/order-state.ts'
import type { EpochSecrets } from '../../../ports/secrets.ts'
import { hourOf, LATEST_HOUR } from '../column-values.ts'
import { hexOf } from '../../../domain/hex.ts'
import type { Sql } from '../sql.ts'

/** An order's data for the messages about its status, and the key that seals the messages. */
export interface NotifiedOrder {
  readonly orderId: Uint8Array
  readonly accountId: string
  readonly isPayment?: boolean
  /** True if an order expires although its deposit was recorded. A node had invented that deposit. */
  readonly wasDeposited?: boolean
  readonly reference: string | undefined
  /** True if any account has an enabled endpoint. Then the events of all accounts are written. */
  readonly hasWebhooks: boolean
  readonly key: EpochSecrets
}

/** A change of status that is ready for the outbox. The transaction that changes the status also writes this event. */
export interface NewEvent {
  /** The event's name, in hex. */
  readonly name: string
  /** Undefined if no account has an enabled endpoint. */
  readonly sealed: Uint8Array | undefined
  readonly epoch: number
  readonly atMs: number
}

/**
 * SQL that is true if any account has an enabled endpoint. Accounts without an endpoint get rows in the outbox too. If
 * they got none, only some rows of `settlements` would have a row in the outbox. Both tables get their rows in the same
 * sequence, so a reader of the database could find the settlements of accounts with an endpoint.
 */
export const HAS_WEBHOOKS = 'EXISTS (SELECT 1 FROM webhooks WHERE disabled_at IS NULL)'

/** Returns the name of a message: HMAC(K, order id and the message's number). K is the epoch's key. */
export function eventName(key: EpochSecrets, orderId: Uint8Array, number: number): Uint8Array {
  return key.pseudonym(Uint8Array.of(...orderId, number))
}

/** Creates a sealed event. A transaction must not read keys, so the event is sealed before the transaction. */
export function newEvent(order: NotifiedOrder, status: OrderStatus, atMs: number): NewEvent {
  const { orderId, accountId, reference, hasWebhooks, key } = order
  // JSON omits undefined. So the value is undefined instead of false, which keeps the encoded event short.
  const isPayment = order.isPayment ? true : undefined
  const wasDeposited = order.wasDeposited ? true : undefined
  const name = eventName(key, orderId, messageNumber({ status, isPayment, wasDeposited }))
  const about = { orderId, accountId, status, isPayment, wasDeposited, reference }
  const event = { ...about, atMs, sends: undefined }
  const sealed = hasWebhooks ? key.seal(name, 'event', encodeOrderEvent(event)) : undefined
  return { name: hexOf(name), sealed, epoch: key.epoch, atMs }
}

/**
 * Creates a sealed notice that an order's balance ends soon. If the balance has already ended, the notice is written
 * but sent to no endpoint. If the notice weren't written, a copy of the database would show which balances were
 * still open.
 */
export function newNotice(
  order: NotifiedOrder,
  notice: { readonly endsAtMs: number; readonly isRenewed: boolean; readonly isOpen: boolean },
  atMs: number,
): NewEvent {
  const { orderId, accountId, reference, hasWebhooks, key } = order
  const { endsAtMs, isOpen } = notice
  // The value is undefined instead of false for the same reason as in `newEvent`.
  const isRenewed = notice.isRenewed ? true : undefined
  const about = { orderId, accountId, status: 'deposited', reference, endsAtMs, isRenewed } as const
  const name = eventName(key, orderId, messageNumber(about))
  const event = { ...about, atMs, sends: isOpen ? undefined : [] }
  const sealed = hasWebhooks ? key.seal(name, 'event', encodeOrderEvent(event)) : undefined
  return { name: hexOf(name), sealed, epoch: key.epoch, atMs }
}

/**
 * Writes events to the outbox. Workers that have the key send these events. An existing event isn't replaced. So a
 * status that is written twice, for example for a second attempt, is sent only once.
 */
export async function writeEvents(sql: Sql, events: readonly NewEvent[]): Promise<void> {
  const sealedEvents = events.flatMap((event) =>
    event.sealed === undefined ? [] : [{ ...event, sealed: hexOf(event.sealed) }],
  )
  if (sealedEvents.length === 0) return
  await sql.query(
    `INSERT INTO outbox (name, sealed, due_at, hour)
     SELECT decode(given.name, 'hex'), decode(given.sealed, 'hex'), given.at,
       GREATEST(given.epoch, LEAST(given.hour, ${LATEST_HOUR}))
     FROM chain_cursor,
       unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
         AS given (name, sealed, at, hour, epoch)
     ON CONFLICT (name) DO NOTHING`,
    [
      sealedEvents.map(({ name }) => name),
      sealedEvents.map(({ sealed }) => sealed),
      sealedEvents.map(({ atMs }) => new Date(atMs)),
      sealedEvents.map(({ atMs }) => hourOf(atMs)),
      sealedEvents.map(({ epoch }) => hourOf(epochStartMs(epoch))),
    ],
  )
}
