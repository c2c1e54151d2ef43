import type { OrderEvent, WebhookSend } from '../domain/order-event.ts'

/** An event of an order as it is stored. */
export interface StoredEvent {
  readonly event: OrderEvent
  /** The event's name in the store, in hex. */
  readonly name: string
  /** The epoch whose key has sealed the event. */
  readonly epoch: number
  /** The time of the event's next poll; undefined if there is no further poll. */
  readonly dueAtMs: number | undefined
}

/**
 * One poll of an event: a worker sends the event to the endpoints that haven't accepted it yet. This poll has begun and
 * has no result yet.
 */
export interface DeliveryPoll {
  readonly name: string
  /** Number of the poll, starting at 1. */
  readonly count: number
  /** The hour of the event, in whole hours since 1970. No key of a later hour seals the event. */
  readonly hour: number
  /** The event. `lost` if its key is destroyed, `locked` if its key can't be read now. */
  readonly held: StoredEvent | 'lost' | 'locked'
}

/** A poll with its result. */
export interface EndedPoll extends DeliveryPoll {
  /** The results of sending; undefined if there is nothing to record. */
  readonly sends: readonly WebhookSend[] | undefined
}

/** The messages of one order to read. */
export interface AskedMessages {
  readonly id: Uint8Array
  readonly epoch: number
  /** Numbers of the messages, in ascending order. Each number requires an HMAC, so callers pass as few as possible. */
  readonly numbers: readonly number[]
}

/**
 * Events to send. The event of a new status is written in the transaction that sets this status. To an outsider who
 * observes the database and the times of writes, all events look alike.
 */
export interface OutboxStore {
  /**
   * Begins a poll of each due event, the newest first, and schedules the event's next poll. If the worker stops before
   * it has sent an event, the event's next poll sends it.
   */
  readonly claimDue: (nowMs: number, limit: number) => Promise<DeliveryPoll[]>
  /**
   * Seals the events of these polls again, no matter what the results are. Skips an event in two cases: its key can't
   * be read now, or a newer poll of the same event has begun.
   */
  readonly keep: (polls: readonly EndedPoll[]) => Promise<void>
  /** Computes the names of an order's possible status events; empty if the order's key is destroyed. */
  readonly namesOf: (order: {
    readonly id: Uint8Array
    readonly epoch: number
  }) => Promise<string[]>
  /**
   * Reads the events of these orders. The result is in the sequence of `orders`, and each order's latest event comes
   * first.
   */
  readonly read: (orders: readonly AskedMessages[]) => Promise<StoredEvent[]>
}
