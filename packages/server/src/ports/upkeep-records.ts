import type { UnixSeconds } from '@sotto/protocol'
/** A deposited order whose leaf the tree lacks: the leaf was never there, or has vanished. */
export interface VanishedOrder {
  readonly orderId: Uint8Array
  readonly deadline: UnixSeconds
}

/** The order of a balance whose first end is near or past. Payments may have postponed the end. */
export interface EndingOrder {
  readonly orderId: Uint8Array
  readonly deadline: UnixSeconds
  /** The first end, seconds since 1970 by the chain's clock. */
  readonly expiry: UnixSeconds
}

/** An end of a balance that is near. */
export interface NearEnd {
  readonly orderId: Uint8Array
  /** Seconds since 1970 by the chain's clock. */
  readonly end: UnixSeconds
  /** True if payments have postponed the end. */
  readonly isRenewed: boolean
}

/**
 * The longest known start of the tree in which every leaf is explained: by an order's deposit, or by a proven
 * settlement.
 */
export interface ExplainedLeaves {
  /** The number of these leaves. */
  readonly nextLeaf: number
  /** A slot at which the chain had only these leaves. */
  readonly slot: bigint
  /** The number of these leaves that owners' settlements appended without the service. */
  readonly ownerChanges: number
}

/** A summary of the stored leaves and orders. */
export interface Ledger {
  /** Number of stored leaves. */
  readonly leaves: number
  /** Number of orders whose deposit appended one of these leaves. Settling an order adds one more leaf. */
  readonly deposited: number
  /** Number of payments out of balances that landed and are complete. Each payment appended one leaf. */
  readonly payments: number
  /** Number of orders of balances that ended without a settlement of their own. */
  readonly unsettled: number
  /** Number of leaves that owners' settlements appended without the service. */
  readonly ownerChanges: number
  /** The most that owners of ended balances may still have in the pool, by mint, in base units. */
  readonly keptByOwners: ReadonlyMap<string, bigint>
  /** Number of stored leaves of deposits that belong to no order, and that an operator has written off. */
  readonly writtenOff: number
  /** The result of the last comparison of chain and database; undefined before the first comparison. */
  readonly areBooksAgreeing: boolean | undefined
  /** The hour of the last delivery, in milliseconds; undefined if none is recorded. */
  readonly lastDeliveryHourMs: number | undefined
}

/** An open balance whose newest note has changed. */
export interface PaidFrom {
  readonly orderId: Uint8Array
  /** The epoch whose key seals both plans. If the balance was resealed since, nothing is written. */
  readonly epoch: number
  /** The plan as it was read. If the stored plan has changed since, nothing is written. */
  readonly plan: Uint8Array
  readonly sealedPlan: Uint8Array
}

/** An order's secrets, sealed under another epoch's key. */
export interface ResealedOrder {
  readonly epoch: number
  /** The plan as it was read. If a payment has changed the stored plan since, nothing is written. */
  readonly plan: Uint8Array
  readonly sealedTerms: Uint8Array
  readonly sealedPlan: Uint8Array
}
