import type { OrderEvent, WebhookSend } from '../domain/order-event.ts'

/** A change of an order's status as it is stored. */
export interface StoredEvent {
  readonly event: OrderEvent
  /** Its name in the store, in hex. */
  readonly name: string
  /** The epoch whose key seals it. */
  readonly epoch: number
  /** When it is looked at next; undefined after the last look. */
  readonly dueAtMs: number | undefined
}

/** A look at a change, which has begun. */
export interface Look {
  readonly name: string
  /** The how manieth, from 1 on. */
  readonly count: number
  /** `lost` where the key is destroyed, `locked` where it can't be read for now. */
  readonly held: StoredEvent | 'lost' | 'locked'
}

/** A look with what came of it. */
export interface EndedLook extends Look {
  /** Undefined where nothing is to be noted. */
  readonly sends: readonly WebhookSend[] | undefined
}

/**
 * Changes of status to be told. They are written by settlement, in the transaction of the change. Whatever
 * can be seen of one from outside, when it is written to included, is the same for all of them.
 */
export interface OutboxStore {
  /**
   * Begins a look at changes that are due, the newest first, and moves each to its next one. A worker that
   * dies leaves them to that.
   */
  readonly claimDue: (nowMs: number, limit: number) => Promise<Look[]>
  /** Seals all of them anew, whatever came of them; not those at which another look has begun since. */
  readonly keep: (looks: readonly EndedLook[]) => Promise<void>
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
