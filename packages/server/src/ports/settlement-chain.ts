import type { Address } from '@solana/kit'
import type { DepositData, Settlement } from '@sotto/protocol'
import type { Signer } from './signer.ts'

/** Everything settlement needs from the chain. */
export interface SettlementChain extends ChainFollow, ChainPay, ChainUpkeep {}

/** A finalized slot: only its clock lets an order expire or be refunded (I5, I8). */
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
  /** The root after leaf `index`; undefined if the ring has dropped it or doesn't hold it yet. */
  readonly rootAfter: (index: number) => bigint | undefined
}

/** What following the chain reads. Every method throws if there is no trustworthy answer. */
export interface ChainFollow {
  readonly readHead: () => Promise<FinalizedHead>
  /**
   * All transactions that named the tree after `lastSignature` (from the first if undefined), oldest first, from
   * `slotFrom` to `head`. Refuses a node that hasn't reached the head. With `slotFrom`, no history before it is
   * read.
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

/** A payment with its relayer and payee, from which the adapter builds the transaction. */
export interface SettleIntent {
  readonly relayer: Signer
  /** The asset that is paid out. */
  readonly mint: Address
  readonly settlement: Settlement
  /** True if the relayer pays for a missing token account of the payee. */
  readonly opensAccount: boolean
}

/** A signed transaction, not yet sent. */
export interface SignedSettlement {
  readonly signature: string
  /** The transaction's wire format. */
  readonly wire: Uint8Array
  /** The block height after which it can't land any more. */
  readonly lastValidBlockHeight: bigint
}

/** A settlement found in the chain's history. */
export interface FoundSettlement {
  readonly isRefund: boolean
  readonly signature: string
  readonly slot: bigint
  /** Its block's time, seconds since 1970. */
  readonly unixSeconds: bigint
  /** What the vault really paid: a refund's fee part may be smaller than the note's. */
  readonly amount: bigint
}

/**
 * What a Nullifier records of its note's settlement. A delivery lands up to the note's expiry and a refund only
 * after it, so the time alone decides which it was (I5): no history is needed.
 */
export interface SettledNote {
  /** The chain's clock when the note was settled, seconds since 1970. */
  readonly atSeconds: bigint
  /** Who paid the settlement's fees and the Nullifier's rent. */
  readonly rentPayer: Address
}

/** Nullifier accounts at one finalized slot, in the order of the request; undefined for a missing one. */
export interface NullifierFacts {
  readonly slot: bigint
  readonly settled: readonly (SettledNote | undefined)[]
}

/**
 * Whether a wallet can be paid in an asset: `payable` now; `absent` if its token account must be created first;
 * `blocked` if the account exists but can't receive a payment.
 */
export type PayeeState = 'payable' | 'absent' | 'blocked'

/** What paying a note reads and writes. Every method throws if there is no trustworthy answer. */
export interface ChainPay {
  /** The chain's clock at `confirmed`, seconds since 1970: the newest to draw a public time from. */
  readonly readClock: () => Promise<bigint>
  readonly readPayee: (mint: Address, wallet: Address) => Promise<PayeeState>
  /** Lamports of each relayer, at `confirmed`. */
  readonly readBalances: (wallets: readonly Address[]) => Promise<bigint[]>
  /** Each nullifier's account, if it exists, at one finalized slot that isn't before `slotMin`. */
  readonly readNullifiers: (
    nullifiers: readonly bigint[],
    slotMin: bigint,
  ) => Promise<NullifierFacts>
  /** Builds and signs; sends nothing. */
  readonly sign: (intent: SettleIntent) => Promise<SignedSettlement>
  /** True if the transaction would succeed now. */
  readonly simulate: (signed: SignedSettlement) => Promise<boolean>
  /** Sends the transaction to the cluster; repeatable. Resolving proves nothing. */
  readonly broadcast: (wire: Uint8Array) => Promise<void>
  /**
   * The finalized transaction that created a nullifier's account; undefined if this node's history doesn't
   * reach it.
   */
  readonly findSettlement: (nullifier: bigint) => Promise<FoundSettlement | undefined>
}

/** Every asset's books, and the tree, at one finalized slot. */
export interface PoolBooks {
  readonly slot: bigint
  /** Leaves of the tree. */
  readonly nextLeaf: bigint
  /** The root after the last leaf; meaningless for an empty tree. */
  readonly root: bigint
  readonly assets: readonly AssetBooks[]
}

/** An asset's books and its vault's balance, in base units. */
export interface AssetBooks {
  readonly mint: Address
  /** The vault's balance without its rent minimum. */
  readonly held: bigint
  readonly owed: bigint
  readonly fees: bigint
  readonly inventory: bigint
}

/** An account of the pool that may be closed, and the receiver of its rent. */
export interface Closable {
  readonly kind: 'order' | 'nullifier'
  readonly account: Address
  readonly rentPayer: Address
}

/** What upkeep reads and writes. Every method throws if there is no trustworthy answer. */
export interface ChainUpkeep {
  readonly readBooks: () => Promise<PoolBooks>
  /** Every Order and Nullifier of the pool that is past its closing time by the finalized clock. */
  readonly listClosable: () => Promise<Closable[]>
  /** Sends transactions that close these accounts; the next listing finds those that failed again. */
  readonly close: (relayer: Signer, closable: readonly Closable[]) => Promise<void>
}
