import type { Address } from '@solana/kit'
import type { OrderStatus } from '../domain/order-state.ts'

export type AttemptKind = 'deliver' | 'refund'

/** A live attempt: signed and journalled, perhaps broadcast, not proven landed or dead. */
export interface LiveAttempt {
  readonly number: number
  readonly kind: AttemptKind
  readonly sealed: Uint8Array
}

/** An order whose note is in the tree and not known to be settled. */
export interface OpenOrder {
  readonly orderId: Uint8Array
  /** The epoch whose key seals this order now: that of its creation until it is sealed anew. */
  readonly epoch: number
  readonly status: OrderStatus
  readonly sender: Address
  readonly sourceMint: Address
  readonly destinationMint: Address
  readonly amountOut: bigint
  readonly fee: bigint
  readonly expiry: bigint
  readonly inner: bigint
  readonly leafIndex: number
  readonly sealedTerms: Uint8Array
  readonly sealedPlan: Uint8Array
  readonly leaseUntilMs: number | undefined
  readonly attempt: LiveAttempt | undefined
}

/** A lease on an order: whoever holds the newest fence may write. */
export interface Lease {
  readonly orderId: Uint8Array
  readonly fence: bigint
}

/** The end of an order as program state proved it. */
export interface Outcome {
  readonly orderId: Uint8Array
  readonly to: 'delivered' | 'refunded'
  readonly sealedOutcome: Uint8Array
  /** The order's live attempt, and whether it is the one that landed. */
  readonly attempt: { readonly number: number; readonly hasLanded: boolean } | undefined
}

/** An order's secrets under another epoch's key, which takes the place of its own. */
export interface ResealedOrder {
  readonly epoch: number
  readonly sealedTerms: Uint8Array
  readonly sealedPlan: Uint8Array
}

/** What settling keeps. `tryX` is a compare-and-set: false where the row was no longer so. */
export interface SettleStore {
  readonly listOpen: () => Promise<OpenOrder[]>
  /**
   * Takes the order where nobody's lease on it binds now: see `isLeaseHeld`, whose lease length is
   * `untilMs - nowMs`. Refuses orders that have a live attempt or aren't open.
   */
  readonly tryClaim: (
    orderId: Uint8Array,
    owner: string,
    nowMs: number,
    untilMs: number,
  ) => Promise<Lease | undefined>
  /** Holds a lease for longer; false where somebody else has taken it over. */
  readonly tryRenew: (lease: Lease, untilMs: number) => Promise<boolean>
  readonly release: (lease: Lease) => Promise<void>
  /** Writes an attempt, and the status that it brings, before it is broadcast (I7). */
  readonly tryJournal: (
    lease: Lease,
    attempt: { readonly kind: AttemptKind; readonly sealed: Uint8Array },
  ) => Promise<boolean>
  /** Ends an attempt that was proven dead, together with the plan for the next one, if there is one. */
  readonly tryMarkDead: (
    orderId: Uint8Array,
    number: number,
    sealedPlan?: Uint8Array,
  ) => Promise<boolean>
  /** Moves an order without a live attempt to `refunding`. */
  readonly tryBeginRefund: (lease: Lease, sealedPlan: Uint8Array, nowMs: number) => Promise<boolean>
  readonly tryReplacePlan: (lease: Lease, sealedPlan: Uint8Array) => Promise<boolean>
  /** Ends an order; not while it has a live attempt that the outcome doesn't name, which would stay live for ever. */
  readonly tryComplete: (outcome: Outcome, nowMs: number) => Promise<boolean>
}
