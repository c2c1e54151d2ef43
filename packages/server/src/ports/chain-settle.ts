import type { Address } from '@solana/kit'
import type { Settlement } from '@sotto/protocol'
import type { Signer } from './signer.ts'

/** What is to be paid, by which relayer, to whom; the adapter makes the transaction of it. */
export interface SettleIntent {
  readonly relayer: Signer
  /** The asset that is paid out. */
  readonly mint: Address
  readonly settlement: Settlement
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

/** Nullifier accounts at one finalized slot, in the order asked for. */
export interface NullifierFacts {
  readonly slot: bigint
  readonly areSettled: readonly boolean[]
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
  /** Whether each nullifier's account exists at one finalized slot that isn't before `slotMin`. */
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
  /** The finalized transaction that made a nullifier's account; undefined where none is known. */
  readonly findSettlement: (nullifier: bigint) => Promise<FoundSettlement | undefined>
}
