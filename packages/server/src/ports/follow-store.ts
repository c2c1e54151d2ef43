import type { Address } from '@solana/kit'
import type { FinalizedHead } from './chain-follow.ts'

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
