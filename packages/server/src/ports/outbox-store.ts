import type { OrderEvent, WebhookSend } from '../domain/order-event.ts'

/** A change of an order's status as it is stored. */
export interface StoredEvent {
  readonly event: OrderEvent
  /** The change's name in the store, in hex. */
  readonly name: string
  /** The epoch whose key has sealed the change. */
  readonly epoch: number
  /** The time of the change's next poll; undefined if there is no further poll. */
  readonly dueAtMs: number | undefined
}

/**
 * One poll of a change: a worker sends the change to the endpoints that haven't accepted it yet. This poll has begun
 * and has no result yet.
 */
export interface DeliveryPoll {
  readonly name: string
  /** Number of the poll, starting at 1. */
  readonly count: number
  /** The hour of the change, in whole hours since 1970. The key that seals the change isn't newer. */
  readonly hour: number
  /** The change. `lost` if its key is destroyed, `locked` if its key can't be read now. */
  readonly held: StoredEvent | 'lost' | 'locked'
}

/** A poll with its result. */
export interface EndedPoll extends DeliveryPoll {
  /** The results of sending; undefined if there is nothing to record. */
  readonly sends: readonly WebhookSend[] | undefined
}

/** Messages of one order that are to be read. */
export interface AskedMessages {
  readonly id: Uint8Array
  readonly epoch: number
  /** Numbers of the messages, in ascending order. Each number costs an HMAC, so callers pass as few as possible. */
  readonly numbers: readonly number[]
}

/**
 * Changes of status that are to be sent. Settlement writes each change in the transaction that changes the status. To
 * an outsider who observes the database and the times of writes, all changes look alike.
 */
export interface OutboxStore {
  /**
   * Begins a poll of the due changes, the newest first, and schedules the next poll of each change. If the worker dies,
   * the next poll of these changes continues its work.
   */
  readonly claimDue: (nowMs: number, limit: number) => Promise<DeliveryPoll[]>
  /**
   * Seals the changes of these polls again, no matter what the results are. Skips a change in two cases: its key
   * can't be read now, or a newer poll of the same change has begun.
   */
  readonly keep: (polls: readonly EndedPoll[]) => Promise<void>
  /** Computes the names of all changes that an order may have; empty if the order's key is destroyed. */
  readonly namesOf: (order: {
    readonly id: Uint8Array
    readonly epoch: number
  }) => Promise<string[]>
  /**
   * Reads the changes of these orders. The result is in the sequence of `orders`, and each order's latest change comes
   * first.
   */
  readonly read: (orders: readonly AskedMessages[]) => Promise<StoredEvent[]>
}
