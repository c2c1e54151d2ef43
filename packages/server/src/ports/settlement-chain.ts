import type { Address } from '@solana/kit'
import type { DepositData, Settlement } from '@sotto/protocol'
import type { Signer } from './signer.ts'

/** Everything settlement asks of the chain. */
export interface SettlementChain extends ChainFollow, ChainPay, ChainUpkeep {}

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

/** What is to be paid, by which relayer, to whom; the adapter makes the transaction of it. */
export interface SettleIntent {
  readonly relayer: Signer
  /** The asset that is paid out. */
  readonly mint: Address
  readonly settlement: Settlement
  /** Whether the relayer pays for the payee's token account if it isn't there. */
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
 * What a Nullifier tells of its note's settlement. A delivery lands up to the note's expiry and a refund
 * only after it, so that the time alone says which it was (I5): no history is needed.
 */
export interface SettledNote {
  /** The chain's clock when the note was settled, seconds since 1970. */
  readonly atSeconds: bigint
  /** Who paid the settlement's fees and the Nullifier's rent. */
  readonly rentPayer: Address
}

/** Nullifier accounts at one finalized slot, in the order asked for; undefined where there is none. */
export interface NullifierFacts {
  readonly slot: bigint
  readonly settled: readonly (SettledNote | undefined)[]
}

/**
 * Whether a wallet can be paid in an asset: `payable` as it stands; `absent` where its token account
 * would have to be made; `blocked` where the account exists and no payment can reach it.
 */
export type PayeeState = 'payable' | 'absent' | 'blocked'

/** What paying a note reads and writes. Every method throws where there is no trustworthy answer. */
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
  /** True where the transaction would succeed now. */
  readonly simulate: (signed: SignedSettlement) => Promise<boolean>
  /** Hands the transaction to the cluster; repeatable. Resolving proves nothing. */
  readonly broadcast: (wire: Uint8Array) => Promise<void>
  /**
   * The finalized transaction that made a nullifier's account; undefined where this node's history
   * doesn't reach it.
   */
  readonly findSettlement: (nullifier: bigint) => Promise<FoundSettlement | undefined>
}

/** Every asset's books, and the tree, at one finalized slot. */
export interface PoolBooks {
  readonly slot: bigint
  /** Leaves of the tree. */
  readonly nextLeaf: bigint
  /** The root behind the last of them; of no meaning in an empty tree. */
  readonly root: bigint
  readonly assets: readonly AssetBooks[]
}

/** An asset's books and what its vault holds, in base units. */
export interface AssetBooks {
  readonly mint: Address
  /** The vault's balance without its rent minimum. */
  readonly held: bigint
  readonly owed: bigint
  readonly fees: bigint
  readonly inventory: bigint
}

/** An account of ours that may be closed, and who gets its rent. */
export interface Closable {
  readonly kind: 'order' | 'nullifier'
  readonly account: Address
  readonly rentPayer: Address
}

/** What upkeep reads and writes. Every method throws where there is no trustworthy answer. */
export interface ChainUpkeep {
  readonly readBooks: () => Promise<PoolBooks>
  /** Every Order and Nullifier of the pool that is past its closing time by the finalized clock. */
  readonly listClosable: () => Promise<Closable[]>
  /** Sends transactions that close these; what fails is found again by the next listing. */
  readonly close: (relayer: Signer, closable: readonly Closable[]) => Promise<void>
}
