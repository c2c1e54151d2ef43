import type { Address } from '@solana/kit'
import type { DepositData, RecentLeaf, Settlement } from '@sotto/protocol'
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

/** A deposit that landed, with its mints, which its instruction names only indirectly through accounts. */
export interface FollowedDeposit extends DepositData {
  readonly sourceMint: Address
  readonly destinationMint: Address
}

/** A leaf that a transaction appended to the tree: a deposit's note, or the note that a settlement left. */
export type Appended =
  | { readonly kind: 'deposit'; readonly deposit: FollowedDeposit }
  | { readonly kind: 'change'; readonly leaf: bigint }

/** A finalized, successful transaction that appended to the tree. */
export interface TreeTransaction {
  readonly signature: string
  readonly slot: bigint
  /** Its block's time, seconds since 1970. */
  readonly unixSeconds: bigint
  /** In the order of the leaves, from outer and inner instructions (I9). */
  readonly appended: readonly Appended[]
}

/** The roots that the chain still holds, at a finalized slot. */
export interface RecentRoots {
  readonly nextLeaf: bigint
  /** The root after leaf `index`; undefined if the ring has dropped it or doesn't hold it yet. */
  readonly rootAfter: (index: number) => bigint | undefined
}

/** The whole Tree account at one finalized slot. */
export interface TreeSnapshot {
  readonly slot: bigint
  readonly nextLeaf: bigint
  readonly lastCheckpointHour: bigint
  /** The leaf at an index with the root after it; undefined if the ring has dropped it or doesn't hold it yet. */
  readonly entry: (index: number) => RecentLeaf | undefined
  /** The entry for an hour's last root; 0 if the entry is empty. */
  readonly checkpoint: (hour: number) => bigint
}

/** The transaction and the time of a deposit that landed. */
export interface FoundDeposit {
  readonly signature: string
  readonly slot: bigint
  /** Its block's time, seconds since 1970. */
  readonly unixSeconds: bigint
}

/** The chain reads of the follower. Every method throws if there is no trustworthy answer. */
export interface ChainFollow {
  readonly readHead: () => Promise<FinalizedHead>
  /**
   * The ring's entries from leaf `from` up to the head's last one, at the head's slot or later: if the tree has grown
   * since, the oldest may be overwritten already, which the root shows. @throws RangeError if the ring can't hold them.
   */
  readonly readEntries: (head: FinalizedHead, from: number) => Promise<RecentLeaf[]>
  readonly readTree: (slotMin: bigint) => Promise<TreeSnapshot>
  /**
   * The leaves from an index on at `confirmed`, at most those of the ring: a hint, never a fact. The request names only
   * the tree, so that the node doesn't learn which orders the service expects.
   */
  readonly readConfirmedLeaves: (from: number) => Promise<bigint[]>
  /**
   * The transactions that appended to the tree from `slotFrom` to the head, oldest first, however old the node's
   * history requires. A long history takes several calls: all but the last throw, and the next one continues.
   */
  readonly readHistory: (slotFrom: bigint, head: FinalizedHead) => Promise<TreeTransaction[]>
  /** Drops the transactions that were read, so that wrong answers are requested again. */
  readonly forgetHistory: () => void
  /**
   * The leaf index in each order's Order account, at one finalized slot that isn't before `slotMin`; undefined for a
   * missing account. Only for orders whose leaf is in the tree.
   */
  readonly readDepositIndexes: (
    orderIds: readonly Uint8Array[],
    slotMin: bigint,
  ) => Promise<(number | undefined)[]>
  /**
   * The transaction of an order's deposit; undefined if this node's history doesn't reach it. Only for deposits in
   * the tree, because the request names the Order account.
   */
  readonly findDeposit: (orderId: Uint8Array) => Promise<FoundDeposit | undefined>
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
  /** The leaf that it appended, unless it refunded in a full tree. */
  readonly changeLeaf: bigint
  readonly payee: Address
  /** What the payee got, base units. */
  readonly payout: bigint
  readonly signature: string
  readonly slot: bigint
  /** Its block's time, seconds since 1970. */
  readonly unixSeconds: bigint
}

/**
 * What a Nullifier records of its note's settlement. A delivery, or a payment out of a balance, lands up to the note's
 * expiry and a refund only after it, so the time alone decides which it was (I5): no history is needed.
 */
export interface SettledNote {
  /** The chain's clock when the note was settled, seconds since 1970. */
  readonly atSeconds: bigint
  /** The account that paid the settlement's fees and the Nullifier's rent. */
  readonly rentPayer: Address
}

/** Nullifier accounts at one finalized slot, in the order of the request; undefined for a missing one. */
export interface NullifierFacts {
  readonly slot: bigint
  readonly settled: readonly (SettledNote | undefined)[]
}

/**
 * The state of a wallet as a payee of an asset: `payable` now; `absent` if its token account must be created first;
 * `blocked` if the account exists but can't receive a payment.
 */
export type PayeeState = 'payable' | 'absent' | 'blocked'

/**
 * The outcome of a settlement if it were sent now. `root_refused` if the chain's root at the proof's place is missing
 * or differs from the proof's, so that another proof may succeed; `refused` for any other reason.
 */
export type SimulatedSettlement = 'accepted' | 'root_refused' | 'refused'

/** The chain reads and writes for paying a note. Every method throws if there is no trustworthy answer. */
export interface ChainPay {
  /** The chain's clock at `confirmed`, seconds since 1970: the newest one from which a public time can be drawn. */
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
  readonly simulate: (signed: SignedSettlement) => Promise<SimulatedSettlement>
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

/** The chain reads and writes of upkeep. Every method throws if there is no trustworthy answer. */
export interface ChainUpkeep {
  readonly readBooks: () => Promise<PoolBooks>
  /** Every Order and Nullifier of the pool that is past its closing time by the finalized clock. */
  readonly listClosable: () => Promise<Closable[]>
  /** Sends transactions that close these accounts; the next listing finds those that failed again. */
  readonly close: (relayer: Signer, closable: readonly Closable[]) => Promise<void>
}
