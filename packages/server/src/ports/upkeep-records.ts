import type { UnixSeconds } from '@sotto/protocol'
/** A deposited order whose leaf isn't in the tree (any more). */
export interface VanishedOrder {
  readonly orderId: Uint8Array
  readonly deadline: UnixSeconds
}

/** A balance's order whose end is near. */
export interface EndingOrder {
  readonly orderId: Uint8Array
  /** Seconds since 1970 by the chain's clock. */
  readonly expiry: UnixSeconds
}

/** The first leaves of the tree, as far as each of them is explained. */
export interface ExplainedLeaves {
  /** How many they are. */
  readonly nextLeaf: number
  /** A slot at which the chain had no more leaves than these. */
  readonly slot: bigint
  /** How many of them are of settlements that no order explains. */
  readonly ownerChanges: number
}

/** A summary of the stored leaves and orders. */
export interface Ledger {
  /** Stored leaves, from the first on. */
  readonly leaves: number
  /** Orders with a leaf among them. Settling an order adds one more leaf. */
  readonly deposited: number
  /** Payments out of balances that landed and are complete. Each appended one leaf. */
  readonly payments: number
  /** Orders of balances that ended without a settlement of their own. */
  readonly unsettled: number
  /** Leaves of settlements that no order explains: owners made them without the service. */
  readonly ownerChanges: number
  /** The most that the owners of these balances may have kept in the pool, by mint, in base units. */
  readonly keptByOwners: ReadonlyMap<string, bigint>
  /** Stored leaves of deposits that an operator has written off, because they belong to no order. */
  readonly writtenOff: number
  /** The result of the last comparison of chain and database; undefined before the first. */
  readonly areBooksAgreeing: boolean | undefined
  /** The hour of the last delivery, in milliseconds; undefined if none is recorded. */
  readonly lastDeliveryHourMs: number | undefined
}

/** An open balance whose newest note has changed. */
export interface PaidFrom {
  readonly orderId: Uint8Array
  /** The plan as it was read. Nothing is written if it has changed since. */
  readonly plan: Uint8Array
  readonly sealedPlan: Uint8Array
}

/** An order's secrets, sealed under another epoch's key. */
export interface ResealedOrder {
  readonly epoch: number
  readonly sealedTerms: Uint8Array
  readonly sealedPlan: Uint8Array
}
