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

/** A deposit as the order's row keeps it. */
export interface RecordedDeposit {
  readonly orderId: Uint8Array
  readonly signature: string
  readonly slot: bigint
  readonly unixSeconds: bigint
  readonly leafIndex: number
  readonly sealedPlan: Uint8Array
}

/**
 * One step along the chain, written whole or not at all. With it every leaf up to the head's next
 * index is in the database, so that orders past their deadline at the head which have no leaf are
 * called expired in the same transaction (I8).
 */
export interface FollowedBatch {
  /** The cursor this step started from; another worker's step in between makes it void. */
  readonly from: string | undefined
  readonly lastSignature: string | undefined
  readonly head: FinalizedHead
  /** True where `leaves` are all there are, and what is stored goes. */
  readonly isRescan: boolean
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
  /** Which of these orders have a leaf already. */
  readonly readKnownLeaves: (orderIds: readonly Uint8Array[]) => Promise<Uint8Array[]>
  readonly readAwaiting: (orderIds: readonly Uint8Array[]) => Promise<AwaitingOrder[]>
  readonly tryRecord: (batch: FollowedBatch, nowMs: number) => Promise<boolean>
  /** Orders that wait for a deposit nobody has seen yet, at most `limit`, newest first. */
  readonly listUnseen: (limit: number) => Promise<Uint8Array[]>
  readonly markSeen: (orderIds: readonly Uint8Array[], nowMs: number) => Promise<void>
}
