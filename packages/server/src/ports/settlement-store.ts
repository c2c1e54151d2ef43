import type { Address } from '@solana/kit'
import type { FinalizedHead } from './settlement-chain.ts'
import type { OrderStatus } from '../domain/order-state.ts'
import type { Liquidity } from './market-store.ts'

/** Everything settlement keeps. Each method is one transaction; none spans a network call (I7). */
export interface SettlementStore extends FollowStore, PayStore, UpkeepStore, HealthStore {}

/** How far the chain has been followed. */
export interface ChainCursor {
  /** The newest transaction read; undefined before the first. */
  readonly lastSignature: string | undefined
  readonly slot: bigint
  /** The chain's clock at that slot. */
  readonly unixSeconds: bigint
}

export interface StoredLeaf {
  readonly index: number
  readonly leaf: bigint
  readonly orderId: Uint8Array
  readonly slot: bigint
}

/** An order whose deposit hasn't been recorded, with the terms its deposit must carry. */
export interface AwaitingOrder {
  readonly orderId: Uint8Array
  readonly epoch: number
  readonly sender: Address
  readonly sourceMint: Address
  readonly destinationMint: Address
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly fee: bigint
  readonly partnerFee: bigint
  readonly deadline: bigint
  readonly expiry: bigint
  readonly inner: bigint
  readonly sealedTerms: Uint8Array
}

/**
 * What tells a deposit from every other one. An id alone doesn't: once its Order is closed, a day after its
 * deadline, whoever holds an authoriser's key can have it deposited again; never within one slot, though.
 */
export type DepositKey = Pick<StoredLeaf, 'orderId' | 'slot'>

/** An order still without a deposit of its own, though the tree holds a leaf of its id. */
export interface DisputedOrder extends AwaitingOrder {
  readonly leaf: bigint
  readonly leafIndex: number
  readonly leafSlot: bigint
}

/** What a deposit says of its order: where the order's row says otherwise, the chain is right. */
export type DepositedTerms = Omit<AwaitingOrder, 'orderId' | 'epoch' | 'inner' | 'sealedTerms'>

/** A deposit as the order's row keeps it. */
export interface RecordedDeposit {
  readonly orderId: Uint8Array
  readonly signature: string
  readonly slot: bigint
  readonly unixSeconds: bigint
  readonly leafIndex: number
  /** Empty where the epoch's key couldn't be read: drawn as soon as it can. */
  readonly sealedPlan: Uint8Array
  /** Terms to take over into the order's row; undefined where it has them already. */
  readonly adopted: DepositedTerms | undefined
}

/**
 * One step along the chain, written whole or not at all. With it every leaf up to the head's next
 * index is in the database, so that orders past their last authorisation at the head which have no leaf are
 * called expired in the same transaction (I8).
 */
export interface FollowedBatch {
  /** The cursor this step started from; another worker's step in between makes it void. */
  readonly from: string | undefined
  readonly lastSignature: string | undefined
  readonly head: FinalizedHead
  /** True where `leaves` are all there are from index `keep` on, and what is stored there goes. */
  readonly isRescan: boolean
  readonly keep: number
  /** Orders to expire although a leaf bears their id: that leaf is proven to be no note of theirs. */
  readonly disowned: readonly Uint8Array[]
  readonly leaves: readonly StoredLeaf[]
  readonly deposits: readonly RecordedDeposit[]
}

/** What following the chain keeps. `tryX` is a compare-and-set: false where another was faster. */
export interface FollowStore {
  /** Makes the cursor where there is none. @throws Error where it belongs to another pool. */
  readonly openCursor: (program: Address, domain: Uint8Array, nowMs: number) => Promise<void>
  readonly readCursor: () => Promise<ChainCursor>
  /** Leaves from an index on, without a gap, in order. */
  readonly readLeaves: (from: number) => Promise<bigint[]>
  /** The deposits with these ids that have a leaf already; of an index below `below`, where it is given. */
  readonly readKnownLeaves: (
    orderIds: readonly Uint8Array[],
    below?: number,
  ) => Promise<DepositKey[]>
  /** The slot in which a stored leaf was made. @throws Error where there is none at that index. */
  readonly readLeafSlot: (index: number) => Promise<bigint>
  /**
   * Awaiting orders whose last authorisation ended before a time of the chain and whose id a stored leaf
   * bears, once for each such leaf, older ones first.
   */
  readonly listDisputed: (unixSeconds: bigint) => Promise<DisputedOrder[]>
  readonly readAwaiting: (orderIds: readonly Uint8Array[]) => Promise<AwaitingOrder[]>
  readonly tryRecord: (batch: FollowedBatch, nowMs: number) => Promise<boolean>
  /**
   * Orders that wait for a deposit nobody has seen yet, at most `limit`: the newest of each account or network
   * first, then the second of each, so that one that makes many doesn't keep the others' from being seen.
   */
  readonly listUnseen: (limit: number) => Promise<Uint8Array[]>
  readonly markSeen: (orderIds: readonly Uint8Array[], nowMs: number) => Promise<void>
}

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
export interface PayStore {
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

/** What upkeep keeps. */
export interface UpkeepStore {
  /** Stops new orders durably; the first reason stays until an operator clears it. */
  readonly halt: (reason: string) => Promise<void>
  /**
   * The newest final hour of the orders that an epoch's key seals, in milliseconds; `open` while one
   * isn't final. An order that was sealed anew counts for the epoch that seals it now.
   */
  readonly readEpochEnd: (epoch: number) => Promise<number | 'open' | 'empty'>
  /** True where the chain has a note of an order that isn't here: orders were lost. */
  readonly hasUnknownLeaf: () => Promise<boolean>
  /**
   * Moves an order without a live attempt under another epoch's key, in one transaction; its status
   * stays. The stored answer goes, and with it the replay of the first request.
   */
  readonly tryReseal: (lease: Lease, resealed: ResealedOrder, nowMs: number) => Promise<boolean>
  /**
   * Clears everything sealed under an epoch and gives its orders their final status and one final
   * hour for all. Must come before the key's destruction, which it needs.
   */
  readonly clearEpoch: (epoch: number) => Promise<void>
  /** Drops the delivery's side of orders that were final before a time, in milliseconds. */
  readonly dropSettled: (beforeMs: number) => Promise<void>
}

/** What the stored leaves and orders say of themselves. */
export interface Ledger {
  /** Stored leaves, from the first on. */
  readonly leaves: number
  /** True where a leaf is no note of an order of this database: its amount isn't known here. */
  readonly hasForeign: boolean
  /** The hour in which an order was last delivered, in milliseconds; undefined where none is kept. */
  readonly lastDeliveryHourMs: number | undefined
}

/** What workers find out about the service itself, for the processes that take orders. */
export interface HealthStore {
  readonly readLedger: () => Promise<Ledger>
  /** Unpaid orders that a deposit may still reach at a time of the chain. */
  readonly countPayable: (unixSeconds: bigint) => Promise<number>
  /** Whether the relayers can pay for what is open, and for how many more orders. */
  readonly recordLiquidity: (liquidity: Liquidity) => Promise<void>
  /** Whether chain and database agree. */
  readonly recordBooks: (areAgreeing: boolean, nowMs: number) => Promise<void>
}
