import type { Address } from '@solana/kit'
import type { DepositData, RecentLeaf, Settlement, Amount, UnixSeconds } from '@sotto/protocol'
import type { Signer } from './signer.ts'

/** All reads and writes of the chain that settlement needs. */
export interface SettlementChain extends ChainFollow, ChainPay, ChainUpkeep {}

/** A finalized slot. Orders expire or are refunded only by the clock of a finalized slot (I5, I8). */
export interface FinalizedHead {
  readonly slot: bigint
  readonly blockHeight: bigint
  /** The chain's clock at `slot`, seconds since 1970. */
  readonly unixSeconds: UnixSeconds
  /** Leaves of the tree at `slot`. */
  readonly nextLeaf: bigint
}

/**
 * A deposit that landed, with its mints. The data of the deposit's instruction doesn't contain the mints: they are
 * found through the instruction's accounts.
 */
export interface FollowedDeposit extends DepositData {
  readonly sourceMint: Address
  readonly destinationMint: Address
}

/** A settlement as a node shows it, with the mint of the asset that it paid out. Its proof isn't checked yet. */
export interface ShownSettlement extends Settlement {
  readonly mint: Address
}

/** A leaf that a transaction appended to the tree: a deposit's note, or the note that a settlement left. */
export type Appended =
  | { readonly kind: 'deposit'; readonly deposit: FollowedDeposit }
  | {
      readonly kind: 'change'
      readonly leaf: bigint
      /** Undefined if only the leaf was requested. */
      readonly settlement?: ShownSettlement | undefined
    }

/** A finalized, successful transaction that appended leaves to the tree. */
export interface TreeTransaction {
  readonly signature: string
  readonly slot: bigint
  /** The time of the transaction's block, seconds since 1970. */
  readonly unixSeconds: UnixSeconds
  /** The leaves of outer and inner instructions (I9), in the order in which they were appended. */
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
  /** The root at the end of an hour; 0 if the entry is empty. */
  readonly checkpoint: (hour: number) => bigint
}

/** The transaction and the time of a deposit that landed. */
export interface FoundDeposit {
  readonly signature: string
  readonly slot: bigint
  /** The time of the transaction's block, seconds since 1970. */
  readonly unixSeconds: UnixSeconds
}

/** A head, and the root after its last leaf; undefined for an empty tree. */
export interface RootedHead extends FinalizedHead {
  readonly root: bigint | undefined
}

/** The chain reads of the follower. Every method throws if there is no trustworthy answer. */
export interface ChainFollow {
  readonly readHead: () => Promise<FinalizedHead>
  /** The head and the root of each node that answers; absent if only one node is configured. */
  readonly readHeads?: (() => Promise<RootedHead[]>) | undefined
  /**
   * The ring's entries from leaf `from` to the head's last leaf, read at the head's slot or later. If the tree has
   * grown since, the oldest entries may be overwritten; a comparison with the root shows whether this has happened.
   * @throws RangeError if the ring can't hold so many entries.
   */
  readonly readEntries: (head: FinalizedHead, from: number) => Promise<RecentLeaf[]>
  readonly readTree: (slotMin: bigint) => Promise<TreeSnapshot>
  /**
   * The leaves from index `from` on at `confirmed`, at most as many as the ring holds. They may disappear again, so
   * they serve only as a hint. The request names only the tree, so that the node doesn't learn which orders the service
   * expects.
   */
  readonly readConfirmedLeaves: (from: number) => Promise<bigint[]>
  /**
   * The transactions that appended to the tree from `slotFrom` to the head, oldest first. They may have any age. A long
   * history takes several calls. Each call continues after the previous one, and all calls except the last throw.
   */
  readonly readHistory: (slotFrom: bigint, head: FinalizedHead) => Promise<TreeTransaction[]>
  /** Drops the transactions read so far, so that wrong answers are requested again. */
  readonly forgetHistory: () => void
  /**
   * The leaf index in each order's Order account, at one finalized slot that isn't before `slotMin`; undefined for a
   * missing account. Only for orders whose leaf is already in the tree, because the request shows the Order accounts to
   * the node.
   */
  readonly readDepositIndexes: (
    orderIds: readonly Uint8Array[],
    slotMin: bigint,
  ) => Promise<(number | undefined)[]>
  /**
   * The transaction of an order's deposit; undefined if this node's history doesn't reach it. Only for an order whose
   * leaf is already in the tree, because the request shows the Order account to the node.
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
  /** Micro-lamports per compute unit, the same for every transaction that is signed now. */
  readonly unitPrice: bigint
}

/** A signed transaction, not yet sent. */
export interface SignedSettlement {
  readonly signature: string
  /** The transaction's wire format. */
  readonly wire: Uint8Array
  /** The block height after which the transaction can't land any more. */
  readonly lastValidBlockHeight: bigint
}

/** A settlement found in the chain's history. */
export interface FoundSettlement {
  readonly isRefund: boolean
  /** The leaf that the settlement appended. Undefined for a refund into a full tree. */
  readonly changeLeaf: bigint
  readonly payee: Address
  /** The amount that the payee received, in base units. */
  readonly payout: Amount
  readonly signature: string
  readonly slot: bigint
  /** The time of the transaction's block, seconds since 1970. */
  readonly unixSeconds: UnixSeconds
  /** The whole instruction with its proof. */
  readonly shown?: ShownSettlement | undefined
}

/**
 * The record of a note's settlement in its Nullifier account. A delivery, or a payment out of a balance, lands at the
 * note's expiry or earlier, and a refund only later. So the time alone shows whether the settlement was a refund (I5),
 * and no history is needed.
 */
export interface SettledNote {
  /** The chain's clock when the note was settled, seconds since 1970. */
  readonly atSeconds: UnixSeconds
  /** The account that paid the settlement's fees and the Nullifier's rent. */
  readonly rentPayer: Address
  /** True if several nodes are configured and only one of them shows this record. */
  readonly isAlone?: boolean
  /** True if only one of several nodes shows this record, and another one answers without it. */
  readonly isContradicted?: boolean
  /** True if a different time or payer is shown by at least as many nodes as show this one. */
  readonly isDisputed?: boolean
  /** For a disputed record: the times that nodes show, one for each node that shows a record. */
  readonly shownAt?: readonly UnixSeconds[]
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
 * The outcome of a settlement if it were sent now. `root_refused` if the chain has another root, or none, at the
 * index that the proof names; another proof may then succeed. `refused` for any other reason.
 */
export type SimulatedSettlement = 'accepted' | 'root_refused' | 'refused'

/** The chain reads and writes for paying a note. Every method throws if there is no trustworthy answer. */
export interface ChainPay {
  /**
   * The chain's clock at `confirmed`, seconds since 1970. This clock is ahead of the finalized clock. Public times are
   * computed from it.
   */
  readonly readClock: () => Promise<UnixSeconds>
  /** The adapter hides a recipient from the node among other wallets. A sender is public since its deposit. */
  readonly readPayee: (
    mint: Address,
    wallet: Address,
    role: 'recipient' | 'sender',
  ) => Promise<PayeeState>
  /** Lamports of each relayer, at `confirmed`. */
  readonly readBalances: (wallets: readonly Address[]) => Promise<Amount[]>
  /**
   * Each nullifier's account, if it exists, at one finalized slot that isn't before `slotMin`. `inTree` lists the
   * nullifiers whose settlement is in the tree. They are public, so every node is asked for them, even if the first
   * node shows none of their accounts.
   */
  readonly readNullifiers: (
    nullifiers: readonly bigint[],
    slotMin: bigint,
    inTree?: readonly bigint[],
  ) => Promise<NullifierFacts>
  /** Builds and signs; sends nothing. */
  readonly sign: (intent: SettleIntent) => Promise<SignedSettlement>
  readonly simulate: (signed: SignedSettlement) => Promise<SimulatedSettlement>
  /**
   * Sends the transaction to the cluster. Sending a transaction again is harmless. A resolved promise doesn't prove
   * that the transaction has landed.
   */
  readonly broadcast: (wire: Uint8Array) => Promise<void>
  /** True if a block of the last minutes has this transaction, even if it failed. */
  readonly isInBlock: (signature: string) => Promise<boolean>
  /**
   * The finalized transaction that created a nullifier's account; undefined if this node's history doesn't
   * reach it.
   */
  readonly findSettlement: (nullifier: bigint) => Promise<FoundSettlement | undefined>
  /**
   * The settlement that each node shows, for the nodes that answer and whose history reaches far enough. Absent if only
   * one node is configured.
   */
  readonly findSettlements?: ((nullifier: bigint) => Promise<FoundSettlement[]>) | undefined
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
  /** The vault's balance without its rent minimum; negative if the vault holds less than its rent minimum. */
  readonly held: bigint
  readonly owed: Amount
  readonly fees: Amount
  readonly inventory: Amount
}

/** An account of the pool that may be closed, and the wallet that receives its rent. */
export interface Closable {
  readonly kind: 'order' | 'nullifier'
  readonly account: Address
  readonly rentPayer: Address
}

/** The chain reads and writes of upkeep. Every method throws if there is no trustworthy answer. */
export interface ChainUpkeep {
  readonly readBooks: () => Promise<PoolBooks>
  /**
   * Reads the same transactions as `readHistory`, with their settlements. The requests name only the tree and its
   * transactions, so that the node doesn't learn which of them matter.
   */
  readonly readSettled: (slotFrom: bigint, head: FinalizedHead) => Promise<TreeTransaction[]>
  /**
   * A percentile of the prices that sufficed in the last blocks for transactions that write the tree, in micro-lamports
   * per compute unit.
   */
  readonly readRecentPrice: (percentile: number) => Promise<bigint>
  /** Every Order and Nullifier of the pool that is past its closing time by the finalized clock. */
  readonly listClosable: () => Promise<Closable[]>
  /**
   * Sends transactions that close these accounts, at a price in micro-lamports per compute unit. Accounts that couldn't
   * be closed appear in the next listing again.
   */
  readonly close: (
    relayer: Signer,
    closable: readonly Closable[],
    unitPrice: bigint,
  ) => Promise<void>
}
