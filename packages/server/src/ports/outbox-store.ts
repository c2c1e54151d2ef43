import type { OrderEvent, WebhookSend } from '../domain/order-event.ts'

/** A change of an order's status as it is stored. */
export interface StoredEvent {
  readonly event: OrderEvent
  /** The change's name in the store, in hex. */
  readonly name: string
  /** The epoch whose key seals the change. */
  readonly epoch: number
  /** The time of the change's next poll; undefined after the last poll. */
  readonly dueAtMs: number | undefined
}

/**
 * One poll of a change: a worker sends the change to the endpoints that haven't accepted it yet. The poll has begun and
 * has no result yet.
 */
export interface DeliveryPoll {
  readonly name: string
  /** Poll number, starting at 1. */
  readonly count: number
  /** `lost` if the key is destroyed, `locked` if the key can't be read now. */
  readonly held: StoredEvent | 'lost' | 'locked'
}

/** A poll with its result. */
export interface EndedPoll extends DeliveryPoll {
  /** Undefined if there is nothing to record. */
  readonly sends: readonly WebhookSend[] | undefined
}

/**
 * Changes of status to be sent. Settlement writes each change in the transaction that changes the status. An outsider
 * who observes the database, including the times of writes, can't distinguish the changes.
 */
export interface OutboxStore {
  /**
   * Begins a poll of due changes, the newest first, and schedules the next poll of each. If the worker dies, the next
   * poll handles the changes again.
   */
  readonly claimDue: (nowMs: number, limit: number) => Promise<DeliveryPoll[]>
  /**
   * Seals the changes of these polls again, whatever the results. If another poll of a change has begun since, the
   * change is left out.
   */
  readonly keep: (polls: readonly EndedPoll[]) => Promise<void>
  /** The names of all changes that an order may have; empty if the order's key is destroyed. */
  readonly namesOf: (order: {
    readonly id: Uint8Array
    readonly epoch: number
  }) => Promise<string[]>
  /** The changes of these orders. The orders keep their sequence, and each order's latest change comes first. */
  readonly read: (
    orders: readonly { readonly id: Uint8Array; readonly epoch: number }[],
  ) => Promise<StoredEvent[]>
}
