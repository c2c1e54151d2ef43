import type { Address, DepositTerms, Amount, UnixSeconds } from '@sotto/protocol'
import type { PayeeState } from './settlement-chain.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** The Pool account of the program, as the chain shows it. */
export interface PoolFacts {
  readonly program: Address
  readonly domain: Uint8Array
  readonly tree: Address
  readonly authorisers: readonly Address[]
  readonly depositsPaused: boolean
  readonly maxDepositSeconds: number
  /** The rent of the cluster: the lamports that an account must contain for each of its bytes. */
  readonly lamportsPerByte: bigint
}

/** The limits of an asset's transfers, in base units. */
export interface AssetFacts {
  readonly mint: Address
  readonly depositsPaused: boolean
  /** Maximum `amountIn`. */
  readonly depositMax: Amount
  /**
   * Minimum amount that a delivery may pay. For SOL, it is the minimum that a wallet must contain. For a token, it is
   * one base unit.
   */
  readonly payoutMin: Amount
  /**
   * Maximum value that a swap's note may have now. It is the inventory, or the unused part of the cap if that is less.
   */
  readonly swapAvailable: Amount
}

/** The state of the chain at `confirmed`, with a recent blockhash. */
export interface ChainHead {
  readonly slot: bigint
  readonly blockHeight: bigint
  /** The chain's clock, seconds since 1970. */
  readonly unixSeconds: UnixSeconds
  readonly blockhash: string
  /** The last height at which a transaction with the head's blockhash can land. */
  readonly lastValidBlockHeight: bigint
}

/** The terms of a deposit, and the signature of an authoriser over their digest. */
export interface AuthorisedDeposit {
  readonly terms: DepositTerms
  readonly authoriser: Address
  readonly digest: Uint8Array
  readonly signature: Uint8Array
}

/**
 * What quotes and orders need to read from the chain. Every method throws if there is no trustworthy answer. The sender
 * and the recipient of a transfer never appear in the same request.
 */
export interface Chain {
  /** Reads the Pool; undefined if the program has no Pool. */
  readonly readPool: () => Promise<PoolFacts | undefined>
  /** The limits of each mint, in the order of `mints`; undefined for a mint that the pool doesn't list. */
  readonly readAssets: (mints: readonly Address[]) => Promise<(AssetFacts | undefined)[]>
  /** Reads the chain's clock at a finalized slot, in seconds since 1970. */
  readonly readClock: () => Promise<UnixSeconds>
  /**
   * Reads whether a wallet can be paid in an asset. The answer may be a few seconds old. It is cached separately for
   * each asker: an account, or a visitor of the send page.
   */
  readonly readRecipient: (
    mint: Address,
    wallet: Address,
    asker: string,
  ) => MaybePromise<PayeeState>
  /**
   * Does the same as `readRecipient` for a partner's wallet. All askers share the cached answer, because partners'
   * wallets aren't secret.
   */
  readonly readPartner: (mint: Address, wallet: Address) => MaybePromise<PayeeState>
  /** Returns a head that is at most `ageMaxMs` old. Without `ageMaxMs`, a new head is read. */
  readonly readHead: (ageMaxMs?: number) => Promise<ChainHead>
  /** The account that receives a partner's share of a deposit in `mint`. */
  readonly partnerAccount: (mint: Address, wallet: Address) => Promise<Address>
  /**
   * Builds an unsigned version-0 transaction in base64. The sender pays the transaction's fees. `unitPrice` is in
   * micro-lamports per compute unit.
   */
  readonly buildDeposit: (
    tree: Address,
    deposit: AuthorisedDeposit,
    head: ChainHead,
    unitPrice: bigint,
  ) => Promise<string>
}
