import type { OrderEvent, WebhookSend } from '../domain/order-event.ts'

/** A change of an order's status as it is stored. */
export interface StoredEvent {
  readonly event: OrderEvent
  /** Its name in the store, in hex. */
  readonly name: string
  /** The epoch whose key seals it. */
  readonly epoch: number
  /** The time of its next poll; undefined after the last poll. */
  readonly dueAtMs: number | undefined
}

/** One poll of a change, which has begun. */
export interface DeliveryPoll {
  readonly name: string
  /** Poll number, starting at 1. */
  readonly count: number
  /** `lost` if the key is destroyed, `locked` if the key can't be read for now. */
  readonly held: StoredEvent | 'lost' | 'locked'
}

/** A poll with its result. */
export interface EndedPoll extends DeliveryPoll {
  /** Undefined if there is nothing to record. */
  readonly sends: readonly WebhookSend[] | undefined
}

/**
 * Changes of status to be sent. Settlement writes them, in the transaction of the change. All properties that an
 * outsider can see, including the times of writes, are the same for all of them.
 */
export interface OutboxStore {
  /**
   * Begins a poll of changes that are due, the newest first, and schedules the next poll of each. If the worker
   * dies, the next poll handles them.
   */
  readonly claimDue: (nowMs: number, limit: number) => Promise<DeliveryPoll[]>
  /** Reseals all of them after any result, except those for which another poll has begun. */
  readonly keep: (polls: readonly EndedPoll[]) => Promise<void>
  /** The names of all changes that an order may have; none if its key is destroyed. */
  readonly namesOf: (order: {
    readonly id: Uint8Array
    readonly epoch: number
  }) => Promise<string[]>
  /** The changes of these orders, in the order of the orders, each order's latest first. */
  readonly read: (
    orders: readonly { readonly id: Uint8Array; readonly epoch: number }[],
  ) => Promise<StoredEvent[]>
}
