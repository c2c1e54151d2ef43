import type { Address } from '@solana/kit'
import type { DepositData } from '@sotto/protocol'

/** One finalized slot: the only ground on which an order expires or is refunded (I5, I8). */
export interface FinalizedHead {
  readonly slot: bigint
  readonly blockHeight: bigint
  /** The chain's clock at `slot`, seconds since 1970. */
  readonly unixSeconds: bigint
  /** Leaves of the tree at `slot`. */
  readonly nextLeaf: bigint
}

/** A deposit that landed, with the mints that its instruction only names through accounts. */
export interface FollowedDeposit extends DepositData {
  readonly sourceMint: Address
  readonly destinationMint: Address
}

/** A finalized, successful transaction that names the tree. */
export interface TreeTransaction {
  readonly signature: string
  readonly slot: bigint
  /** Its block's time, seconds since 1970. */
  readonly unixSeconds: bigint
  /** Its deposits in the order of their leaves, from outer and inner instructions (I9). */
  readonly deposits: readonly FollowedDeposit[]
}

/** The roots that the chain still holds, at a finalized slot. */
export interface RecentRoots {
  readonly nextLeaf: bigint
  /** The root after leaf `index`; undefined where the ring has dropped it or doesn't hold it yet. */
  readonly rootAfter: (index: number) => bigint | undefined
}

/** What following the chain reads. Every method throws where the answer can't be had or trusted. */
export interface ChainFollow {
  readonly readHead: () => Promise<FinalizedHead>
  /**
   * Everything that named the tree after `lastSignature` (from the first where undefined), oldest
   * first, nothing of a slot past `head` or before `slotFrom`. Refuses a node that hasn't reached the
   * head. With a slot to begin at, no history before it is asked for.
   */
  readonly readTreeTransactions: (
    lastSignature: string | undefined,
    head: FinalizedHead,
    slotFrom: bigint,
  ) => Promise<TreeTransaction[]>
  /** The roots at `head` or later. */
  readonly readRoots: (head: FinalizedHead) => Promise<RecentRoots>
  /** For each order, whether its Order account exists at `confirmed`: a hint, never a fact. */
  readonly readOrdersSeen: (orderIds: readonly Uint8Array[]) => Promise<boolean[]>
}
