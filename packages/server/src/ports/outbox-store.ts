import type { OrderEvent, WebhookSend } from '../domain/order-event.ts'

/** A change of an order's status as it is stored. */
export interface StoredEvent {
  readonly event: OrderEvent
  /** Its name in the store, in hex. */
  readonly name: string
  /** The epoch whose key seals it. */
  readonly epoch: number
  /** Whoever writes with it must be the last who has read. */
  readonly fence: bigint
}

/** Changes of status to be told. They are written by settlement, in the transaction of the change. */
export interface OutboxStore {
  /**
   * Takes changes of which something is due and that no lease keeps: the newest first, so that what fails
   * again and again keeps no other waiting. Those whose key is destroyed are never given.
   */
  readonly claimDue: (nowMs: number, leaseMs: number, limit: number) => Promise<StoredEvent[]>
  /** Writes what became of a change, ends its lease; false where somebody else has written since. */
  readonly tryKeep: (
    stored: StoredEvent,
    sends: readonly WebhookSend[],
    dueAtMs: number | undefined,
  ) => Promise<boolean>
  /** The names of the changes that an order may still come to; none where its key is destroyed. */
  readonly namesOf: (order: {
    readonly id: Uint8Array
    readonly epoch: number
  }) => Promise<string[]>
  /** The changes of these orders, in the order of the orders, each order's latest first. */
  readonly read: (
    orders: readonly { readonly id: Uint8Array; readonly epoch: number }[],
  ) => Promise<StoredEvent[]>
}
