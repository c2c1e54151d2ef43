import type { Address } from '@solana/kit'
import type { Settlement } from '@sotto/protocol'
import type { Signer } from './signer.ts'

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
export interface ChainSettle {
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
