import type { Address, Amount, UnixSeconds } from '@sotto/protocol'
import type { FinalizedHead, FoundDeposit } from './settlement-chain.ts'
import type { AttemptKind, JournalledKind, OrderStatus } from '../domain/order-state.ts'
import type { ShownValue } from '../domain/observed-market.ts'
import type { PriceStore } from './price-store.ts'
import type { Liquidity, ProverReport } from './market-store.ts'
import type { BalanceEnd, Outcome } from './outcome.ts'
import type { EndingOrder, ExplainedLeaves, Ledger, NearEnd } from './upkeep-records.ts'
import type { PaidFrom, ResealedOrder, VanishedOrder } from './upkeep-records.ts'

export type { BalanceEnd, Outcome, PaidFrom, ResealedOrder }

/** The store of settlement. Each method is one transaction, and no transaction is open during a network call (I7). */
export interface SettlementStore
  extends FollowStore, PayStore, UpkeepStore, HealthStore, PriceStore {}

/** The point up to which the chain has been followed. */
export interface ChainCursor {
  /** Number of leaves recorded up to this slot. */
  readonly nextLeaf: bigint
  readonly slot: bigint
  /** A time of the chain's clock, at `slot` or earlier. */
  readonly unixSeconds: UnixSeconds
  /** The wall-clock time, in milliseconds, at which a worker last moved the cursor; undefined before the first time. */
  readonly followedAtMs?: number | undefined
}

/** An order whose deposit hasn't been recorded. */
export interface AwaitingOrder {
  readonly orderId: Uint8Array
  readonly epoch: number
  readonly deadline: UnixSeconds
  readonly expiry: UnixSeconds
  /** The leaf that its deposit appends. */
  readonly leaf: bigint
  readonly sealedTerms: Uint8Array
}

/** An order whose leaf is in the tree although its deposit isn't recorded. */
export interface ArrivedOrder extends AwaitingOrder {
  readonly leafIndex: number
}

/** A deposit as it is stored in the order's row. */
export interface RecordedDeposit {
  readonly orderId: Uint8Array
  readonly leafIndex: number
  /** Empty if the epoch's key couldn't be read. The plan is then drawn as soon as the key can be read. */
  readonly sealedPlan: Uint8Array
}

/**
 * One step along the chain. Either all of it is written, or nothing. Once it is written, every leaf below the head's
 * next index is in the database. In the same transaction, orders without a stored leaf expire if their last
 * authorisation has ended by the head's clock (I8).
 */
export interface FollowedBatch {
  /** The cursor's next leaf at the step's start. If another worker has moved the cursor since, nothing is written. */
  readonly from: bigint
  readonly head: FinalizedHead
  /** Unpaid orders whose last authorisation ended before this time expire. The default is the head's clock. */
  readonly expiresBefore?: UnixSeconds
  /** All stored leaves from this index on are replaced by `leaves`. */
  readonly keep: number
  /** True if leaves that are stored already are replaced. */
  readonly isRescan: boolean
  /** The new leaves in tree order, from index `keep` on. A root of the chain has confirmed them. */
  readonly leaves: readonly bigint[]
  readonly deposits: readonly RecordedDeposit[]
  /** Orders that may expire although the tree has a leaf equal to theirs, because that leaf is a payment's change. */
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
   * Awaiting orders whose last authorisation ended before `unixSeconds` by the chain's clock and whose leaf is
   * stored. Such an order was written by a rebuild, after its leaf.
   */
  readonly listArrived: (unixSeconds: UnixSeconds) => Promise<ArrivedOrder[]>
  readonly tryRecord: (batch: FollowedBatch, nowMs: number) => Promise<boolean>
  /** Records that the deposits that append these leaves were seen, at any commitment level. */
  readonly markSeen: (leaves: readonly bigint[], nowMs: number) => Promise<void>
  /** The leaves of awaiting orders whose deposit was seen. */
  readonly listSeen: () => Promise<bigint[]>
  /** Removes the mark that the deposits of these leaves were seen. The mark stays if the leaf is stored. */
  readonly clearSeen: (leaves: readonly bigint[], nowMs: number) => Promise<void>
  /** Deposited orders whose deposit transaction isn't known, the newest first. */
  readonly listUnlocated: (limit: number) => Promise<Uint8Array[]>
  readonly recordLocated: (orderId: Uint8Array, found: FoundDeposit) => Promise<void>
}

/** A signed and journalled attempt. It may have been broadcast. Neither landing nor failure is proven yet. */
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
  /** Value of the note, in base units. The delivery pays `amountOut` out of it; the rest is the settlement's fee. */
  readonly value: Amount
  readonly amountOut: Amount
  readonly deadline: UnixSeconds
  readonly expiry: UnixSeconds
  readonly leafIndex: number
  readonly sealedTerms: Uint8Array
  readonly sealedPlan: Uint8Array
  readonly leaseUntilMs: number | undefined
  readonly attempt: LiveAttempt | undefined
}

/** A signed payment whose end isn't known. */
export interface OpenPayment extends Pick<
  OpenOrder,
  'orderId' | 'epoch' | 'status' | 'sealedTerms' | 'sealedPlan' | 'leaseUntilMs' | 'attempt'
> {
  /** The time at which the owner's signature expires, by the chain's clock. */
  readonly validUntil: UnixSeconds
}

/** A lease on an order. Each new lease has a greater fence; only the holder of the newest fence may write. */
export interface Lease {
  readonly orderId: Uint8Array
  readonly fence: bigint
}

/** A new lease. */
export interface ClaimedLease extends Lease {
  /** The epoch whose key sealed the order when it was claimed. */
  readonly epoch: number
  /** The order's newest plan when it was claimed. */
  readonly plan: Uint8Array
}

/**
 * `all`: all open orders. `due`: all except the balances that need no work until their end. `attempted`: the orders of
 * `due` that have a live attempt.
 */
export type OpenScope = 'all' | 'due' | 'attempted'

/** Storage for settling orders. `tryX` is a compare-and-set: false if the row had changed. */
export interface PayStore {
  /**
   * Open orders: all (the default), those of a scope, or those with these ids. The scopes `due` and `attempted` keep
   * rounds short however many balances are open. An order may appear in them some rounds late.
   */
  readonly listOpen: (which?: OpenScope | readonly Uint8Array[]) => Promise<OpenOrder[]>
  /** Signed payments that haven't ended. The other methods accept payments as well as orders. */
  readonly listPayments: () => Promise<OpenPayment[]>
  /** The chain's facts about values deposited or settled since `since`, seconds since 1970 by the chain's clock. */
  readonly readShown: (since: bigint) => Promise<ShownValue[]>
  /**
   * Claims the order if no lease on it is valid any more; see `isLeaseHeld`. The length of a lease is `untilMs -
   * nowMs`. Refuses orders that have a live attempt or aren't open.
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
  /**
   * Writes an attempt, and the resulting status, before it is broadcast (I7). A refund that is only tried (`isTrial`)
   * changes no status, so the order needn't be `refunding`.
   */
  readonly tryJournal: (
    lease: Lease,
    attempt: JournalledKind & { readonly sealed: Uint8Array },
  ) => Promise<boolean>
  /**
   * Ends an attempt that is proven dead, and writes the plan for the next attempt if there will be one. False if the
   * order was resealed since it was read. Its attempts are then numbered from 1 again, so this number may belong to an
   * attempt that can still land. The given plan is sealed under the old key, so it could never be opened.
   */
  readonly tryMarkDead: (
    order: Pick<OpenOrder, 'orderId' | 'epoch'>,
    number: number,
    sealedPlan?: Uint8Array,
  ) => Promise<boolean>
  /** Moves an order without a live attempt to `refunding`. False also if its plan isn't the one that was read. */
  readonly tryBeginRefund: (
    lease: Lease,
    sealedPlan: Uint8Array,
    readPlan: Uint8Array,
    nowMs: number,
  ) => Promise<boolean>
  /**
   * Replaces an order's plan. False if another worker has taken the lease over, or if the plan isn't the one that was
   * read any more: another worker may have replaced it between the reading and the lease.
   */
  readonly tryReplacePlan: (
    lease: Lease,
    sealedPlan: Uint8Array,
    readPlan: Uint8Array,
  ) => Promise<boolean>
  /**
   * Ends an order. False if the order has a live attempt that the outcome doesn't name, because that attempt would stay
   * live for ever. False also if the order was resealed since it was read, or if a payment has replaced a balance's
   * plan.
   */
  readonly tryComplete: (outcome: Outcome, nowMs: number) => Promise<boolean>
}

/** Storage of upkeep. */
export interface UpkeepStore {
  /** Orders without a leaf in the tree whose last authorisation ended before a time of the chain's clock. */
  readonly listVanished: (endedBefore: UnixSeconds) => Promise<VanishedOrder[]>
  /**
   * Expires an order whose deposit a node invented. False if the order's leaf has come, its settlement is known, or its
   * key can't be read.
   */
  readonly tryExpireVanished: (orderId: Uint8Array, nowMs: number) => Promise<boolean>
  /**
   * Orders of balances whose first end is at most three days away. A balance that lives less than six days is listed in
   * the second half of its life.
   */
  readonly listEnding: (unixSeconds: UnixSeconds) => Promise<EndingOrder[]>
  /**
   * Writes the notice that a balance ends, once for each end. The notice is sent only if the balance is open. False
   * if the order's key can't be read.
   */
  readonly tryNoticeEnd: (end: NearEnd, isOpen: boolean, nowMs: number) => Promise<boolean>
  /** The newest record of explained leaves; at first a record of no leaves. */
  readonly readExplained: () => Promise<ExplainedLeaves>
  /** Records explained leaves, unless another worker has recorded as many already. */
  readonly recordExplained: (explained: ExplainedLeaves) => Promise<void>
  /** Indexes of leaves from an index on that are orders' deposits, or deposits that an operator has written off. */
  readonly listDeposits: (from: number) => Promise<ReadonlySet<number>>
  /** Stops new orders permanently; the first reason stays until an operator clears it. */
  readonly halt: (reason: string) => Promise<void>
  /**
   * The latest hour in which an order sealed under an epoch's key became final, in milliseconds; `open` if one of these
   * orders isn't final, `empty` if there are none. A resealed order counts for the epoch whose key seals it now.
   */
  readonly readEpochEnd: (epoch: number) => Promise<number | 'open' | 'empty'>
  /**
   * Epochs whose list of orders is complete: the database held all their orders at a time when no further deposit for
   * them could land.
   */
  readonly listCompleteEpochs: () => Promise<ReadonlySet<number>>
  /** Replaces the list of complete epochs. */
  readonly writeCompleteEpochs: (epochs: readonly number[]) => Promise<void>
  /**
   * Moves an order without a live attempt to another epoch's key, in one transaction; its status stays. The stored
   * response is deleted, so a retry of the first request can't be answered from it any more. False if the plan changed.
   */
  readonly tryReseal: (lease: Lease, resealed: ResealedOrder, nowMs: number) => Promise<boolean>
  /**
   * Clears everything that is sealed under an epoch, and gives its orders their final status and one common final hour.
   * The step needs the epoch's key, so it must run before the key is destroyed.
   */
  readonly clearEpoch: (epoch: number) => Promise<void>
  /** Deletes the delivery rows of orders that became final before `beforeMs`, in milliseconds. */
  readonly dropSettled: (beforeMs: number) => Promise<void>
}

/** The workers' reports about the service itself, for the processes that take orders. */
export interface HealthStore {
  readonly readLedger: () => Promise<Ledger>
  /** For each of these leaves, the last index at which it is stored. Indexes of orders' deposits don't count. */
  readonly findLeaves: (leaves: readonly bigint[]) => Promise<ReadonlyMap<bigint, number>>
  /** Unpaid orders that a deposit or a payment's signature may still reach at `unixSeconds` by the chain's clock. */
  readonly countPayable: (unixSeconds: UnixSeconds) => Promise<number>
  /** Records whether the relayers can pay for the open orders, and for how many further orders. */
  readonly recordLiquidity: (liquidity: Liquidity) => Promise<void>
  /** Replaces this worker's report about its provers, and forgets reports of workers that ended a day ago. */
  readonly recordProvers: (report: ProverReport) => Promise<void>
  /** Records whether chain and database agree. */
  readonly recordBooks: (areAgreeing: boolean, nowMs: number) => Promise<void>
}
