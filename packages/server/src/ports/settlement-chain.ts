import type { ReadDepositIndexes } from './read-deposit-indexes.ts'
import type { Address } from '@solana/kit'
import type { DepositData, RecentLeaf, Settlement, Amount, UnixSeconds } from '@sotto/protocol'
import type { RelayerBalances } from './relayer-balances.ts'
import type { Signer } from './signer.ts'

/** All chain reads and writes that settlement needs. */
export interface SettlementChain extends ChainFollow, ChainPay, ChainUpkeep {}

/** A finalized slot. Orders may expire or be refunded only by the clock of a finalized slot (I5, I8). */
export interface FinalizedHead {
  readonly slot: bigint
  readonly blockHeight: bigint
  /** The chain's clock at `slot`, seconds since 1970. */
  readonly unixSeconds: UnixSeconds
  /** Number of leaves in the tree at `slot`. */
  readonly nextLeaf: bigint
}

/** A deposit that landed, with its mints. The mints are found through the accounts of the deposit's instruction. */
export interface FollowedDeposit extends DepositData {
  readonly sourceMint: Address
  readonly destinationMint: Address
}

/** A settlement as a node shows it, with the mint of the asset that it paid. Its proof isn't verified yet. */
export interface ShownSettlement extends Settlement {
  readonly mint: Address
}

/** A leaf that a transaction appended: the note of a deposit, or the note that a settlement left as change. */
export type Appended =
  | { readonly kind: 'deposit'; readonly deposit: FollowedDeposit }
  | {
      readonly kind: 'change'
      readonly leaf: bigint
      /** The payee of a payment. Undefined if the node shows the settlement incompletely. */
      readonly paid?: Address | 'refund' | undefined
      /** Undefined if the reader requested only the leaf. */
      readonly settlement?: ShownSettlement | undefined
    }

/** A finalized, successful transaction that appended leaves to the tree. */
export interface TreeTransaction {
  readonly signature: string
  readonly slot: bigint
  /** The time of the transaction's block, seconds since 1970. */
  readonly unixSeconds: UnixSeconds
  /** The leaves that outer and inner instructions appended (I9), in the order in which they were appended. */
  readonly appended: readonly Appended[]
}

/** The ring's roots at a finalized slot. The ring is the Tree account's buffer of the newest 1,024 leaves and roots. */
export interface RecentRoots {
  readonly nextLeaf: bigint
  /** The root after leaf `index`; undefined if the ring has dropped this root or doesn't contain it yet. */
  readonly rootAfter: (index: number) => bigint | undefined
}

/** The whole Tree account at one finalized slot. */
export interface TreeSnapshot {
  readonly slot: bigint
  readonly nextLeaf: bigint
  readonly lastCheckpointHour: bigint
  /** The leaf at an index and the root after it; undefined if the ring doesn't contain them. */
  readonly entry: (index: number) => RecentLeaf | undefined
  /** The root at the end of an hour; 0 if no root is stored for the hour. */
  readonly checkpoint: (hour: number) => bigint
}

/** The transaction of a deposit that landed, and its time. */
export interface FoundDeposit {
  readonly signature: string
  readonly slot: bigint
  /** The time of the transaction's block, seconds since 1970. */
  readonly unixSeconds: UnixSeconds
}

/** A head, and the root after its last leaf. The root is undefined for an empty tree. */
export interface RootedHead extends FinalizedHead {
  readonly root: bigint | undefined
}

/** The chain reads of the loop that follows the chain. Every method throws if there is no trustworthy answer. */
export interface ChainFollow {
  readonly readHead: () => Promise<FinalizedHead>
  /** Reads the head and the root of each node that answers; undefined if only one node is configured. */
  readonly readHeads?: (() => Promise<RootedHead[]>) | undefined
  /**
   * Reads the ring's entries from leaf `from` to the head's last leaf, at the head's slot or later. If the tree has
   * grown since the head, the oldest entries may be overwritten. A comparison with the root shows whether that has
   * happened.
   *
   * @throws RangeError if the ring can't hold so many entries.
   */
  readonly readEntries: (head: FinalizedHead, from: number) => Promise<RecentLeaf[]>
  readonly readTree: (slotMin: bigint) => Promise<TreeSnapshot>
  /**
   * Reads the leaves at `confirmed`, starting at index `from`, at most as many as the ring contains. These leaves may
   * disappear again, so the caller may use them only as a hint. The request names only the tree, so that the node
   * doesn't learn which orders the service expects.
   */
  readonly readConfirmedLeaves: (from: number) => Promise<bigint[]>
  /**
   * Reads the transactions that appended to the tree from `slotFrom` to the head, oldest first. They may have any age.
   * A long history takes several calls: each continues after the previous one, and all calls except the last throw.
   */
  readonly readHistory: (slotFrom: bigint, head: FinalizedHead) => Promise<TreeTransaction[]>
  /** Drops the transactions that were read, so that wrong answers are requested again. */
  readonly forgetHistory: () => void
  /**
   * Reads the leaf index in each order's Order account, at `slotMin` or later. With several nodes, all of them are
   * asked for an account if the first node shows no such account, or shows an index that `isOwn` refuses. The request
   * shows the Order accounts to the nodes. So it may name only orders whose leaf is in the tree or whose deposit can't
   * land any more.
   */
  readonly readDepositIndexes: ReadDepositIndexes
  /**
   * Finds the transaction of an order's deposit; undefined if none of the nodes that answer has it in its history. May
   * be called only for the orders of `readDepositIndexes`, because the request shows the Order account to the nodes.
   */
  readonly findDeposit: (orderId: Uint8Array) => Promise<FoundDeposit | undefined>
}

/** A settlement to sign, and its relayer. The adapter builds the transaction from them. */
export interface SettleIntent {
  readonly relayer: Signer
  /** The mint of the asset that is paid. */
  readonly mint: Address
  readonly settlement: Settlement
  /** True if the relayer pays for creating the payee's token account, which is missing. */
  readonly opensAccount: boolean
  /** Micro-lamports per compute unit. All transactions that are signed now have the same price. */
  readonly unitPrice: bigint
}

/** A signed transaction that isn't sent yet. */
export interface SignedSettlement {
  readonly signature: string
  readonly wire: Uint8Array
  /** The block height after which the transaction can't land any more. */
  readonly lastValidBlockHeight: bigint
}

/** A settlement found in the chain's history. */
export interface FoundSettlement extends FoundDeposit {
  readonly isRefund: boolean
  /** The leaf of the change, which the settlement appended. A refund in a full tree appends no leaf. */
  readonly changeLeaf: bigint
  readonly payee: Address
  /** The amount that the payee received, in base units. */
  readonly payout: Amount
  /** The whole settlement instruction with its proof. */
  readonly shown?: ShownSettlement | undefined
}

/**
 * The record of a note's settlement in its Nullifier account. A delivery, or a payment out of a balance, can land only
 * until the note's expiry. A refund can land only afterwards. So the time of the settlement is enough to show whether
 * it was a refund (I5), without the chain's history.
 */
export interface SettledNote {
  /** The chain's clock when the note was settled, seconds since 1970. */
  readonly atSeconds: UnixSeconds
  /** The account that paid the settlement's fees and the Nullifier's rent. */
  readonly rentPayer: Address
  /** True if only one of several nodes shows this record, or if the record is disputed: see `isDisputed`. */
  readonly isAlone?: boolean
  /** True if only one of several nodes shows this record, and another node shows no record. */
  readonly isContradicted?: boolean
  /** True if a record with another time or payer is shown by at least as many nodes as this record. */
  readonly isDisputed?: boolean
  /** For a disputed record: the times that the nodes show, one time for each node that shows a record. */
  readonly shownAt?: readonly UnixSeconds[]
}

/** Nullifier accounts at one finalized slot, in the order of the request; undefined for a missing account. */
export interface NullifierFacts {
  readonly slot: bigint
  readonly settled: readonly (SettledNote | undefined)[]
}

/**
 * Whether a wallet can be paid in an asset. `payable`: it can be paid now. `absent`: its account must be created first.
 * `blocked`: the account exists but can't receive a payment.
 */
export type PayeeState = 'payable' | 'absent' | 'blocked'

/**
 * The outcome that a settlement would have now. `root_refused`: at the index that the proof names, the chain has
 * another root or no root, so another proof may succeed. `refused`: the settlement fails for any other reason.
 */
export type SimulatedSettlement = 'accepted' | 'root_refused' | 'refused'

/** The chain reads and writes for paying a note. Every method throws if there is no trustworthy answer. */
export interface ChainPay {
  /**
   * The chain's clock at `confirmed`, seconds since 1970. It is ahead of the clock at the finalized slot. Times that
   * the public can see are computed from this clock.
   */
  readonly readClock: () => Promise<UnixSeconds>
  /** Reads whether a wallet can be paid. The adapter hides recipients from the node, but not senders. */
  readonly readPayee: (
    mint: Address,
    wallet: Address,
    role: 'recipient' | 'sender',
  ) => Promise<PayeeState>
  /** The lamports of each relayer and the cluster's rent, at one slot at `confirmed`. */
  readonly readBalances: (wallets: readonly Address[]) => Promise<RelayerBalances>
  /**
   * Reads each nullifier's account at one finalized slot that isn't before `slotMin`. `inTree` lists the nullifiers
   * whose settlements are in the tree. They are public, so every node is asked for them, even if the first node shows
   * none of their accounts.
   */
  readonly readNullifiers: (
    nullifiers: readonly bigint[],
    slotMin: bigint,
    inTree?: readonly bigint[],
  ) => Promise<NullifierFacts>
  /** Builds and signs the transaction. Sends nothing. */
  readonly sign: (intent: SettleIntent) => Promise<SignedSettlement>
  readonly simulate: (signed: SignedSettlement) => Promise<SimulatedSettlement>
  /** True if several nodes are asked before a settlement counts as refused. */
  readonly hasWitnesses?: boolean
  /**
   * Sends the transaction to the cluster. It is harmless to send a transaction again. A resolved promise doesn't prove
   * that the transaction has landed.
   */
  readonly broadcast: (wire: Uint8Array) => Promise<void>
  /** True if a block of the last minutes contains this transaction, even if the transaction failed. */
  readonly isInBlock: (signature: string) => Promise<boolean>
  /** The finalized transaction that created a nullifier's account; undefined if the node's history lacks it. */
  readonly findSettlement: Find<FoundSettlement | undefined>
  /**
   * Finds the settlement in each node's history, if that history goes back far enough. Undefined if only one node is
   * configured.
   */
  readonly findSettlements?: Find<FoundSettlement[]> | undefined
}

/** Searches for a settlement. The search is faster if `atSeconds` is the time in the Nullifier account. */
type Find<Found> = (nullifier: bigint, atSeconds?: UnixSeconds) => Promise<Found>

/**
 * Every asset's books, and the tree. If all accounts fit into one request, they are read at one finalized slot.
 * Otherwise `slot` is the oldest slot of the requests.
 */
export interface PoolBooks {
  readonly slot: bigint
  readonly nextLeaf: bigint
  /** The root after the last leaf; meaningless if the tree is empty. */
  readonly root: bigint
  readonly assets: readonly AssetBooks[]
}

/** An asset's books, which are the amounts that the program records for it, and its vault's balance; in base units. */
export interface AssetBooks {
  readonly mint: Address
  /** The vault's balance minus its minimum rent; negative if the vault contains less than its minimum rent. */
  readonly held: bigint
  /** The vault's minimum rent in lamports, which the cluster may raise; 0 for a vault of tokens. */
  readonly rent: bigint
  readonly owed: Amount
  readonly fees: Amount
  readonly inventory: Amount
}

/** An account of the pool that may be closed, and the wallet that then receives the account's rent. */
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
   * transactions, so the node doesn't learn which of the transactions matter to the service.
   */
  readonly readSettled: (slotFrom: bigint, head: FinalizedHead) => Promise<TreeTransaction[]>
  /**
   * Reads the recent prices that sufficed for transactions that write the tree. Returns the given percentile of these
   * prices, in micro-lamports per compute unit.
   */
  readonly readRecentPrice: (percentile: number) => Promise<bigint>
  /** Lists every Order and Nullifier account of the pool whose closing time has passed by the finalized clock. */
  readonly listClosable: () => Promise<Closable[]>
  /**
   * Sends transactions that close these accounts. `unitPrice` is in micro-lamports per compute unit. An account that
   * couldn't be closed appears again in the next listing.
   */
  readonly close: (
    relayer: Signer,
    closable: readonly Closable[],
    unitPrice: bigint,
  ) => Promise<void>
}
