import type { Address, Amount, UnixSeconds } from '@sotto/protocol'
import type { FinalizedHead, FoundDeposit } from './settlement-chain.ts'
import type { AttemptKind, JournalledKind, OrderStatus } from '../domain/order-state.ts'
import type { ShownValue } from '../domain/observed-market.ts'
import type { PriceStore } from './price-store.ts'
import type { Liquidity, ListedTariff, ProverReport } from './market-store.ts'
import type { BalanceEnd, Outcome } from './outcome.ts'
import type { EndingOrder, ExplainedLeaves, Ledger, NearEnd } from './upkeep-records.ts'
import type { PaidFrom, ResealedOrder, VanishedOrder } from './upkeep-records.ts'

export type { BalanceEnd, Outcome, PaidFrom, ResealedOrder }

/** The store of settlement. Each method is one transaction, and no transaction is open during a network call (I7). */
export interface SettlementStore
  extends FollowStore, PayStore, UpkeepStore, HealthStore, PriceStore {}

/** The point up to which the chain has been followed. */
export interface ChainCursor {
  /** Number of leaves that are recorded up to this slot. */
  readonly nextLeaf: bigint
  readonly slot: bigint
  /** The chain's clock at `slot` or at an earlier slot. */
  readonly unixSeconds: UnixSeconds
  /** The wall-clock time, in milliseconds, at which a worker created the cursor or last changed its slot. */
  readonly followedAtMs?: number | undefined
}

/** An order whose deposit hasn't been recorded yet. */
export interface AwaitingOrder {
  readonly orderId: Uint8Array
  readonly epoch: number
  readonly deadline: UnixSeconds
  readonly expiry: UnixSeconds
  /** The leaf that the order's deposit appends. */
  readonly leaf: bigint
  readonly sealedTerms: Uint8Array
}

/** An order whose leaf is in the tree although the order's deposit isn't recorded. */
export interface ArrivedOrder extends AwaitingOrder {
  readonly leafIndex: number
}

/** A deposit as it is stored in the order's row. */
export interface RecordedDeposit {
  readonly orderId: Uint8Array
  readonly leafIndex: number
  /** Empty if the epoch's key couldn't be read. The plan is then made as soon as the key can be read. */
  readonly sealedPlan: Uint8Array
}

/**
 * One step along the chain. Either the whole step is written, or nothing of it. After it is written, the database
 * contains every leaf below the head's next index. In the same transaction, orders without a stored leaf expire if
 * their last authorisation ended before `expiresBefore` (I8).
 */
export interface FollowedBatch {
  /** The cursor's next leaf at the start. If another worker has moved the cursor meanwhile, nothing is written. */
  readonly from: bigint
  readonly head: FinalizedHead
  /** Unpaid orders expire if their last authorisation ended before this time. Default: the head's clock. */
  readonly expiresBefore?: UnixSeconds
  /** All leaves that are stored at this index or later are replaced by `leaves`. */
  readonly keep: number
  /** True if leaves that are already stored are replaced. */
  readonly isRescan: boolean
  /** The new leaves in the order of the tree, starting at index `keep`. A root of the chain has confirmed them. */
  readonly leaves: readonly bigint[]
  readonly deposits: readonly RecordedDeposit[]
  /**
   * Orders whose leaf is in the tree although they have no deposit: a payment appended the leaf as its change. These
   * orders may expire.
   */
  readonly undeposited?: readonly Uint8Array[]
}

/** The storage of the follow loop. `tryX` is a compare-and-set: it returns false if another worker was faster. */
export interface FollowStore {
  /** Creates the cursor if it doesn't exist. @throws Error if the existing cursor belongs to another pool. */
  readonly openCursor: (program: Address, domain: Uint8Array, nowMs: number) => Promise<void>
  readonly readCursor: () => Promise<ChainCursor>
  /** Reads the leaves in order, starting at index `from`; all of them, or at most `countMax`. */
  readonly readLeaves: (from: number, countMax?: number) => Promise<bigint[]>
  /** Reads the orders that await a deposit and whose leaf is one of these leaves. */
  readonly readAwaiting: (leaves: readonly bigint[]) => Promise<AwaitingOrder[]>
  /**
   * Lists orders that await a deposit although their leaf is stored. A rebuild of the database may write an order later
   * than its leaf. Lists only orders whose last authorisation ended before this time of the chain's clock.
   */
  readonly listArrived: (unixSeconds: UnixSeconds) => Promise<ArrivedOrder[]>
  readonly tryRecord: (batch: FollowedBatch, nowMs: number) => Promise<boolean>
  /** Records that the deposits of these leaves were seen, at some commitment level. */
  readonly markSeen: (leaves: readonly bigint[], nowMs: number) => Promise<void>
  /** Lists the leaves of orders that await a deposit and whose deposit was seen. */
  readonly listSeen: () => Promise<bigint[]>
  /** Deletes the records that the deposits of these leaves were seen. Ignores leaves that are stored. */
  readonly clearSeen: (leaves: readonly bigint[], nowMs: number) => Promise<void>
  /** Lists deposited orders whose deposit transaction isn't known yet, the newest first. */
  readonly listUnlocated: (limit: number) => Promise<Uint8Array[]>
  readonly recordLocated: (orderId: Uint8Array, found: FoundDeposit) => Promise<void>
}

/** A signed and journalled attempt. It may have been broadcast, and its outcome isn't proven yet. */
export interface LiveAttempt {
  readonly number: number
  readonly kind: AttemptKind
  readonly sealed: Uint8Array
}

/** An order whose note is in the tree and not known to be settled. */
export interface OpenOrder {
  readonly orderId: Uint8Array
  /** The epoch whose key seals this order now. Unless the order was resealed, it is the epoch of its creation. */
  readonly epoch: number
  readonly status: OrderStatus
  readonly sender: Address
  readonly sourceMint: Address
  readonly destinationMint: Address
  /** Value of the note, in base units. The delivery pays `amountOut` of it, and the rest is the settlement's fee. */
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

/** A signed payment whose outcome isn't known yet. */
export interface OpenPayment extends Pick<
  OpenOrder,
  'orderId' | 'epoch' | 'status' | 'sealedTerms' | 'sealedPlan' | 'leaseUntilMs' | 'attempt'
> {
  /** The time at which the owner's signature expires, by the chain's clock. */
  readonly validUntil: UnixSeconds
}

/** A lease on an order. Each new lease has a greater fence. Only the lease with the greatest fence may write. */
export interface Lease {
  readonly orderId: Uint8Array
  readonly fence: bigint
}

/** A lease that a worker has just claimed. */
export interface ClaimedLease extends Lease {
  /** The epoch whose key sealed the order when the lease was claimed. */
  readonly epoch: number
  /** The order's newest plan when the lease was claimed. */
  readonly plan: Uint8Array
}

/**
 * `all`: all open orders. `due`: all open orders except balances that need no work until their end. `attempted`: the
 * orders of `due` that have a live attempt. The list of a scope may lack an order for some rounds if the order's
 * deposit was recorded late.
 */
export type OpenScope = 'all' | 'due' | 'attempted'

/** The storage for settling orders. `tryX` is a compare-and-set: it returns false if the row has changed. */
export interface PayStore {
  /** Lists the open orders of a scope (default: `all`), or with these ids. */
  readonly listOpen: (which?: OpenScope | readonly Uint8Array[]) => Promise<OpenOrder[]>
  /** True if `listOpen` can't list the order yet: its deposit isn't recorded, or has no place in the tree now. */
  readonly isUnplaced: (orderId: Uint8Array) => Promise<boolean>
  /** Lists signed payments that haven't ended. The methods that change one order also accept a payment. */
  readonly listPayments: () => Promise<OpenPayment[]>
  /** Reads each value's events since this time of the chain, and counts its earlier events: see `ShownValue`. */
  readonly readShown: (since: bigint) => Promise<ShownValue[]>
  /** Reads the current tariff of every listed asset. */
  readonly readTariffs: () => Promise<ReadonlyMap<Address, ListedTariff>>
  /**
   * Claims the order if there is no valid lease on it; see `isLeaseHeld`. The length of the lease is `untilMs - nowMs`.
   * Returns undefined for an order that has a live attempt or isn't open.
   */
  readonly tryClaim: (
    orderId: Uint8Array,
    owner: string,
    nowMs: number,
    untilMs: number,
  ) => Promise<ClaimedLease | undefined>
  /** Extends a lease; false if another worker has claimed the order meanwhile. */
  readonly tryRenew: (lease: Lease, untilMs: number) => Promise<boolean>
  readonly release: (lease: Lease) => Promise<void>
  /**
   * Writes an attempt and the status that results from it, before the attempt is broadcast (I7). A refund that is only
   * tried (`isTrial`) doesn't change the status, so the order needn't be `refunding`.
   */
  readonly tryJournal: (
    lease: Lease,
    attempt: JournalledKind & { readonly sealed: Uint8Array },
  ) => Promise<boolean>
  /**
   * Marks an attempt as dead after it was proven that the attempt can't land. Replaces the plan if `plans` is given and
   * the stored plan is still `readPlan`. Returns false if the order was resealed since it was read. After resealing,
   * the attempts are numbered from 1 again, so `number` could belong to an attempt that can still land. Also, the given
   * plan is sealed under the old key and could never be opened.
   */
  readonly tryMarkDead: (
    order: Pick<OpenOrder, 'orderId' | 'epoch'>,
    number: number,
    plans?: { readonly sealedPlan: Uint8Array; readonly readPlan: Uint8Array },
  ) => Promise<boolean>
  /** Moves an order without a live attempt to `refunding`, if the stored plan is still `readPlan`. */
  readonly tryBeginRefund: (
    lease: Lease,
    sealedPlan: Uint8Array,
    readPlan: Uint8Array,
    nowMs: number,
  ) => Promise<boolean>
  /**
   * Replaces an order's plan. Returns false if another worker has claimed the order meanwhile. Also returns false if
   * the stored plan isn't `readPlan`, because another worker replaced the plan before this worker claimed the order.
   */
  readonly tryReplacePlan: (
    lease: Lease,
    sealedPlan: Uint8Array,
    readPlan: Uint8Array,
  ) => Promise<boolean>
  /**
   * Ends an order. Returns false if the order has a live attempt that the outcome doesn't name, because that attempt
   * would otherwise stay live forever. Also returns false if the order was resealed since it was read, or if it is a
   * balance and a payment has replaced its plan.
   */
  readonly tryComplete: (outcome: Outcome, nowMs: number) => Promise<boolean>
}

/** The storage of upkeep. */
export interface UpkeepStore {
  /** Lists deposited orders whose leaf isn't in the tree, and whose last authorisation ended before `endedBefore`. */
  readonly listVanished: (endedBefore: UnixSeconds) => Promise<VanishedOrder[]>
  /**
   * Expires an order whose deposit a node had invented. Returns false if the order's leaf is stored meanwhile, if its
   * settlement is known, or if its key can't be read.
   */
  readonly tryExpireVanished: (orderId: Uint8Array, nowMs: number) => Promise<boolean>
  /**
   * Lists the orders of balances whose first end is at most three days away or has passed. Payments may have postponed
   * the actual end. A balance with a life of less than six days is listed after the middle of its life.
   */
  readonly listEnding: (unixSeconds: UnixSeconds) => Promise<EndingOrder[]>
  /**
   * Writes the notice that a balance ends, once for each end. The notice is sent only if the balance is open. Returns
   * false if the order's key can't be read.
   */
  readonly tryNoticeEnd: (end: NearEnd, isOpen: boolean, nowMs: number) => Promise<boolean>
  /** Reads the newest record of explained leaves. If there is no record, the result has zero leaves. */
  readonly readExplained: () => Promise<ExplainedLeaves>
  /** Records explained leaves. Does nothing if another worker has already recorded at least as many. */
  readonly recordExplained: (explained: ExplainedLeaves) => Promise<void>
  /** Adds payees of settlements that owners of balances made without the service. Known payees may be added again. */
  readonly recordPaid: (payees: readonly Address[]) => Promise<void>
  /** Deletes the records that include the leaf at this index. The older records become valid again. */
  readonly forgetExplained: (leafIndex: number) => Promise<void>
  /** Lists the leaf indexes of deposits, starting at `from`: deposits of orders, and deposits that were written off. */
  readonly listDeposits: (from: number) => Promise<ReadonlySet<number>>
  /** Makes the service refuse new orders until an operator runs `pool resume`. Only the first reason is stored. */
  readonly halt: (reason: string) => Promise<void>
  /**
   * The latest hour in which an order that is sealed under an epoch's key became final, in milliseconds. Returns `open`
   * if one of these orders isn't final, and `empty` if there are no such orders. A resealed order belongs to the epoch
   * whose key seals it now.
   */
  readonly readEpochEnd: (epoch: number) => Promise<number | 'open' | 'empty'>
  /** Lists complete epochs: the database had all their orders when no more deposits for these orders could land. */
  readonly listCompleteEpochs: () => Promise<ReadonlySet<number>>
  /** Replaces the list of complete epochs. */
  readonly writeCompleteEpochs: (epochs: readonly number[]) => Promise<void>
  /**
   * Moves an order without a live attempt to another epoch's key, in one transaction. Its status stays the same. The
   * stored response to the request that created the order is deleted, so a retry of that request no longer gets it.
   * Returns false if the plan has changed.
   */
  readonly tryReseal: (lease: Lease, resealed: ResealedOrder, nowMs: number) => Promise<boolean>
  /**
   * Clears everything that is sealed under an epoch, and gives the epoch's orders their final status and one common
   * final hour. This method needs the epoch's key, so it must run before the key is destroyed.
   */
  readonly clearEpoch: (epoch: number) => Promise<void>
  /** Deletes the delivery rows of orders that became final before `beforeMs`, in milliseconds since 1970. */
  readonly dropSettled: (beforeMs: number) => Promise<void>
  /** Empties balances' plans that were replaced before the chain's current day. The plans' rows stay. */
  readonly forgetReplacedPlans: () => Promise<void>
}

/** The workers' reports about the service itself, for the processes that accept orders. */
export interface HealthStore {
  readonly readLedger: () => Promise<Ledger>
  /** Finds the last index at which each of these leaves is stored. The indexes of orders' deposits are left out. */
  readonly findLeaves: (leaves: readonly bigint[]) => Promise<ReadonlyMap<bigint, number>>
  /** Counts orders and payments that can still get their deposit or signature at this time, by the chain's clock. */
  readonly countPayable: (unixSeconds: UnixSeconds) => Promise<number>
  /** Records whether the relayers can pay for the open orders, and for how many further orders they can pay. */
  readonly recordLiquidity: (liquidity: Liquidity) => Promise<void>
  /** Replaces this worker's report about its provers. Deletes reports of other workers that are older than a day. */
  readonly recordProvers: (report: ProverReport) => Promise<void>
  /** Records whether the chain and the database agree. */
  readonly recordBooks: (areAgreeing: boolean, nowMs: number) => Promise<void>
}
