import type { UnixSeconds } from '@sotto/protocol'
/** A deposited order whose leaf isn't in the tree: the leaf was never there, or it has disappeared. */
export interface VanishedOrder {
  readonly orderId: Uint8Array
  readonly leaf: bigint
  readonly deadline: UnixSeconds
}

/**
 * The order of a balance whose first end is near or has passed. The first end is the expiry of the note that the
 * deposit added. Payments may have postponed the actual end.
 */
export interface EndingOrder {
  readonly orderId: Uint8Array
  readonly deadline: UnixSeconds
  /** The first end, seconds since 1970 by the chain's clock. */
  readonly expiry: UnixSeconds
}

/** An end of a balance that will happen soon. */
export interface NearEnd {
  readonly orderId: Uint8Array
  /** The time of the end, in seconds since 1970 by the chain's clock. */
  readonly end: UnixSeconds
  /** True if payments have postponed the end. */
  readonly isRenewed: boolean
}

/**
 * The leaves from the start of the tree that are recorded as explained. An order's deposit or a proven settlement
 * explains a leaf. A leaf that was written off counts as explained.
 */
export interface ExplainedLeaves {
  /** Number of explained leaves. */
  readonly nextLeaf: number
  /** A slot at which the tree contained only these leaves. */
  readonly slot: bigint
  /** Number of these leaves that the settlements of owners appended without the service. */
  readonly ownerChanges: number
}

/** A summary of the stored leaves and orders. */
export interface Ledger {
  /** Number of stored leaves. */
  readonly leaves: number
  /** Number of orders whose deposit appended one of these leaves. The settlement of an order appends one more leaf. */
  readonly deposited: number
  /** Number of payments out of balances that landed and are complete. Each of them appended one leaf. */
  readonly payments: number
  /** Number of balances' orders that ended without a settlement of their own. */
  readonly unsettled: number
  /** Number of leaves that the settlements of owners appended without the service. */
  readonly ownerChanges: number
  /** The maximum that owners of ended balances may still have in the pool, by mint, in base units. */
  readonly keptByOwners: ReadonlyMap<string, bigint>
  /** Number of stored leaves that an operator has written off, because they are deposits that belong to no order. */
  readonly writtenOff: number
  /** The result of the last comparison of the chain with the database; undefined before the first comparison. */
  readonly areBooksAgreeing: boolean | undefined
  /** The hour of the last delivery, in milliseconds since 1970; undefined if no delivery is recorded. */
  readonly lastDeliveryHourMs: number | undefined
}

/** An open balance whose newest note has changed because of a payment. */
export interface PaidFrom {
  readonly orderId: Uint8Array
  /**
   * The epoch whose key seals the old plan and the new plan. If the balance was resealed meanwhile, nothing is written.
   */
  readonly epoch: number
  /** The plan as it was read. If the stored plan has changed meanwhile, nothing is written. */
  readonly plan: Uint8Array
  readonly sealedPlan: Uint8Array
}

/** The secrets of an order, sealed under another epoch's key. */
export interface ResealedOrder {
  readonly epoch: number
  /** The plan as it was read. If a payment has changed the stored plan meanwhile, nothing is written. */
  readonly plan: Uint8Array
  readonly sealedTerms: Uint8Array
  readonly sealedPlan: Uint8Array
}
