import type { Address } from '@solana/kit'
import type { FinalizedHead, FoundDeposit } from './settlement-chain.ts'
import type { AttemptKind, OrderStatus } from '../domain/order-state.ts'
import type { Liquidity } from './market-store.ts'

/** Everything settlement stores. Each method is one transaction; none spans a network call (I7). */
export interface SettlementStore extends FollowStore, PayStore, UpkeepStore, HealthStore {}

/** The point up to which the chain has been followed. */
export interface ChainCursor {
  /** Number of recorded leaves at this slot. */
  readonly nextLeaf: bigint
  readonly slot: bigint
  /** The chain's clock at that slot or earlier. */
  readonly unixSeconds: bigint
  /** When the cursor last moved by the wall clock of its worker, in milliseconds; undefined before the first time. */
  readonly followedAtMs?: number | undefined
}

/** An order whose deposit hasn't been recorded. */
export interface AwaitingOrder {
  readonly orderId: Uint8Array
  readonly epoch: number
  readonly deadline: bigint
  readonly expiry: bigint
  /** The leaf that its deposit appends. */
  readonly leaf: bigint
  readonly sealedTerms: Uint8Array
}

/** An order that awaits its deposit although the tree has its leaf. */
export interface ArrivedOrder extends AwaitingOrder {
  readonly leafIndex: number
}

/** A deposit as it is stored in the order's row. */
export interface RecordedDeposit {
  readonly orderId: Uint8Array
  readonly leafIndex: number
  /** Empty if the epoch's key couldn't be read; the plan is drawn as soon as the key can be read. */
  readonly sealedPlan: Uint8Array
}

/**
 * One step along the chain, written in full or not at all. With it, every leaf up to the head's next index is in
 * the database. Orders without a leaf there expire in the same transaction if, at the head, their last authorisation
 * has ended (I8).
 */
export interface FollowedBatch {
  /** The cursor's next leaf when this step started; another worker's step in between makes it void. */
  readonly from: bigint
  readonly head: FinalizedHead
  /** Unpaid orders whose authorisations end before this expire, seconds since 1970; by default the head's clock. */
  readonly expiresBefore?: bigint
  /** All stored leaves from this index on are replaced by `leaves`. */
  readonly keep: number
  /** True if leaves that are stored already are replaced. */
  readonly isRescan: boolean
  /** In their order, from index `keep` on; verified by a root of the chain. */
  readonly leaves: readonly bigint[]
  readonly deposits: readonly RecordedDeposit[]
  /** Orders that may expire although the tree has their leaf: it is the change of a payment. */
  readonly undeposited?: readonly Uint8Array[]
}

/** Storage of the follower. `tryX` is a compare-and-set: false if another worker was faster. */
export interface FollowStore {
  /** Creates the cursor if there is none. @throws Error if it belongs to another pool. */
  readonly openCursor: (program: Address, domain: Uint8Array, nowMs: number) => Promise<void>
  readonly readCursor: () => Promise<ChainCursor>
  /** Leaves from an index on, in order and without gaps. */
  readonly readLeaves: (from: number) => Promise<bigint[]>
  /** The awaiting orders whose deposits append these leaves. */
  readonly readAwaiting: (leaves: readonly bigint[]) => Promise<AwaitingOrder[]>
  /**
   * Awaiting orders whose last authorisation ended before a time of the chain and whose leaf is stored. A rebuild wrote
   * them into the database after that leaf.
   */
  readonly listArrived: (unixSeconds: bigint) => Promise<ArrivedOrder[]>
  readonly tryRecord: (batch: FollowedBatch, nowMs: number) => Promise<boolean>
  /** Records that the deposits that append these leaves were seen, at any commitment. */
  readonly markSeen: (leaves: readonly bigint[], nowMs: number) => Promise<void>
  /** The leaves of awaiting orders whose deposit was seen. */
  readonly listSeen: () => Promise<bigint[]>
  /** Forgets that the deposits that append these leaves were seen, unless their leaf is stored. */
  readonly clearSeen: (leaves: readonly bigint[], nowMs: number) => Promise<void>
  /** Deposited orders whose deposit's transaction isn't known, the newest first. */
  readonly listUnlocated: (limit: number) => Promise<Uint8Array[]>
  readonly recordLocated: (orderId: Uint8Array, found: FoundDeposit) => Promise<void>
}

/** A live attempt: signed and journalled, perhaps broadcast, not proven landed or dead. */
export interface LiveAttempt {
  readonly number: number
  readonly kind: AttemptKind
  readonly sealed: Uint8Array
}

/** An order whose note is in the tree and not known to be settled. */
export interface OpenOrder {
  readonly orderId: Uint8Array
  /** The epoch whose key seals this order now: the epoch of its creation, unless it was resealed. */
  readonly epoch: number
  readonly status: OrderStatus
  readonly sender: Address
  readonly sourceMint: Address
  readonly destinationMint: Address
  /** Value of the note; `amountOut` of it is delivered, and the rest is the settlement's fee. */
  readonly value: bigint
  readonly amountOut: bigint
  readonly deadline: bigint
  readonly expiry: bigint
  readonly leafIndex: number
  readonly sealedTerms: Uint8Array
  readonly sealedPlan: Uint8Array
  readonly leaseUntilMs: number | undefined
  readonly attempt: LiveAttempt | undefined
}

/** A signed payment that isn't known to have ended. */
export interface OpenPayment extends Pick<
  OpenOrder,
  'orderId' | 'epoch' | 'status' | 'sealedTerms' | 'sealedPlan' | 'leaseUntilMs' | 'attempt'
> {
  /** The end of the owner's signature, by the chain's clock. */
  readonly validUntil: bigint
}

/** A lease on an order: only the holder of the newest fence may write. */
export interface Lease {
  readonly orderId: Uint8Array
  readonly fence: bigint
}

/** A new lease. */
export interface ClaimedLease extends Lease {
  /** The epoch whose key sealed the order when it was claimed. */
  readonly epoch: number
}

/** An order's outcome, as proven by program state. */
export interface Outcome {
  readonly orderId: Uint8Array
  /** `expired` for payments only. */
  readonly to: 'delivered' | 'refunded' | 'expired'
  /** Undefined for a payment that expired. */
  readonly sealedOutcome: Uint8Array | undefined
  /** The order's live attempt, and whether it is the one that landed. */
  readonly attempt: { readonly number: number; readonly hasLanded: boolean } | undefined
  /** How a balance ends; undefined for a transfer. */
  readonly balance?: BalanceEnd | undefined
  /** True for a payment that landed. It is counted, because it appended a leaf. */
  readonly isLandedPayment?: boolean | undefined
  /** The balance that a payment was made from, which goes on with what is left of it. */
  readonly paidFrom?: PaidFrom | undefined
}

/** An open balance with another newest note. */
export interface PaidFrom {
  readonly orderId: Uint8Array
  /** The plan as it was read. */
  readonly plan: Uint8Array
  readonly sealedPlan: Uint8Array
}

export interface BalanceEnd {
  /** The order's plan as it was read: a payment that replaced it since keeps the balance open. */
  readonly plan: Uint8Array
  readonly mint: Address
  /**
   * The most that its owner may have kept in the pool, in base units; undefined for a refund. Such an order has no
   * settlement of its own in the tree, and what its owner kept is owed on chain.
   */
  readonly left: bigint | undefined
}

/** An order's secrets, sealed under another epoch's key. */
export interface ResealedOrder {
  readonly epoch: number
  readonly sealedTerms: Uint8Array
  readonly sealedPlan: Uint8Array
}

/** Storage for settling orders. `tryX` is a compare-and-set: false if the row had changed. */
export interface PayStore {
  readonly listOpen: () => Promise<OpenOrder[]>
  /** Signed payments that haven't ended. The other methods take them like orders. */
  readonly listPayments: () => Promise<OpenPayment[]>
  /**
   * Claims the order if no lease on it is valid now. See `isLeaseHeld`; the lease length is `untilMs - nowMs`.
   * Refuses orders that have a live attempt or aren't open.
   */
  readonly tryClaim: (
    orderId: Uint8Array,
    owner: string,
    nowMs: number,
    untilMs: number,
  ) => Promise<ClaimedLease | undefined>
  /** Extends a lease; false if another worker has taken it over. */
  readonly tryRenew: (lease: Lease, untilMs: number) => Promise<boolean>
  readonly release: (lease: Lease) => Promise<void>
  /** Writes an attempt, and the resulting status, before it is broadcast (I7). */
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
  /** Ends an order, unless it has a live attempt that the outcome doesn't name, which would stay live for ever. */
  readonly tryComplete: (outcome: Outcome, nowMs: number) => Promise<boolean>
}

/** Storage of upkeep. */
export interface UpkeepStore {
  /** Stops new orders permanently; the first reason stays until an operator clears it. */
  readonly halt: (reason: string) => Promise<void>
  /**
   * The newest final hour of the orders that an epoch's key seals, in milliseconds; `open` if an order isn't final.
   * A resealed order counts for the epoch that seals it now.
   */
  readonly readEpochEnd: (epoch: number) => Promise<number | 'open' | 'empty'>
  /** Epochs whose orders were all known at a time when none of them could be deposited any more. */
  readonly listCompleteEpochs: () => Promise<ReadonlySet<number>>
  /** Replaces the complete epochs by these. */
  readonly writeCompleteEpochs: (epochs: readonly number[]) => Promise<void>
  /**
   * Moves an order without a live attempt to another epoch's key, in one transaction; its status stays. The
   * stored response is deleted, so the first request can't be replayed any more.
   */
  readonly tryReseal: (lease: Lease, resealed: ResealedOrder, nowMs: number) => Promise<boolean>
  /**
   * Clears everything sealed under an epoch and gives its orders their final status and one common final hour.
   * Needs the key, so it must run before the key's destruction.
   */
  readonly clearEpoch: (epoch: number) => Promise<void>
  /** Deletes the delivery side of orders that were final before a time, in milliseconds. */
  readonly dropSettled: (beforeMs: number) => Promise<void>
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
  /** The most that the owners of these balances may have kept in the pool, by mint, in base units. */
  readonly keptByOwners: ReadonlyMap<string, bigint>
  /** Stored leaves of deposits that an operator has written off, because they belong to no order. */
  readonly writtenOff: number
  /** The result of the last comparison of chain and database; undefined before the first. */
  readonly areBooksAgreeing: boolean | undefined
  /** The hour of the last delivery, in milliseconds; undefined if none is recorded. */
  readonly lastDeliveryHourMs: number | undefined
}

/** The workers' reports about the service itself, for the processes that take orders. */
export interface HealthStore {
  readonly readLedger: () => Promise<Ledger>
  /** The last index of each of these leaves that is stored. */
  readonly findLeaves: (leaves: readonly bigint[]) => Promise<ReadonlyMap<bigint, number>>
  /** Unpaid orders that a deposit, or a payment's signature, may still reach at a time of the chain. */
  readonly countPayable: (unixSeconds: bigint) => Promise<number>
  /** Records if the relayers can pay for the open orders, and for how many more. */
  readonly recordLiquidity: (liquidity: Liquidity) => Promise<void>
  /** Records if chain and database agree. */
  readonly recordBooks: (areAgreeing: boolean, nowMs: number) => Promise<void>
}
