import type { Address, DepositTerms, Amount, UnixSeconds } from '@sotto/protocol'
import type { PayeeState } from './settlement-chain.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** The program's Pool account as the chain shows it. */
export interface PoolFacts {
  readonly program: Address
  readonly domain: Uint8Array
  readonly tree: Address
  readonly authorisers: readonly Address[]
  readonly depositsPaused: boolean
  readonly maxDepositSeconds: number
  /** The cluster's rent: lamports that an account must hold for each byte. */
  readonly lamportsPerByte: bigint
}

/** The limits of an asset's transfers, in base units. */
export interface AssetFacts {
  readonly mint: Address
  readonly depositsPaused: boolean
  /** Greatest `amountIn`. */
  readonly depositMax: Amount
  /**
   * The least that a delivery may pay. For SOL, that is the minimum that a wallet must hold; for a token, one base
   * unit.
   */
  readonly payoutMin: Amount
  /** The greatest value that a swap's note may have now: the inventory, but at most the unused part of the cap. */
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

/** The terms of a deposit and an authoriser's signature of their digest. */
export interface AuthorisedDeposit {
  readonly terms: DepositTerms
  readonly authoriser: Address
  readonly digest: Uint8Array
  readonly signature: Uint8Array
}

/**
 * The chain reads that quotes and orders need. Every method throws if there is no trustworthy answer.
 * The sender and the recipient of a transfer never appear in one request.
 */
export interface Chain {
  /** Undefined if the program has no Pool. */
  readonly readPool: () => Promise<PoolFacts | undefined>
  /** The limits in the order of the given mints; undefined for a mint that the pool doesn't list. */
  readonly readAssets: (mints: readonly Address[]) => Promise<(AssetFacts | undefined)[]>
  /** The chain's clock at a finalized slot, seconds since 1970. */
  readonly readClock: () => Promise<UnixSeconds>
  /**
   * Reads whether a wallet can be paid in an asset. The answer may be some seconds old and is cached separately for
   * each asker.
   */
  readonly readRecipient: (
    mint: Address,
    wallet: Address,
    asker: string,
  ) => MaybePromise<PayeeState>
  /**
   * Does the same as `readRecipient` for a partner's wallet. All askers share the answer, because partners are no
   * secret.
   */
  readonly readPartner: (mint: Address, wallet: Address) => MaybePromise<PayeeState>
  /** A head at most `ageMaxMs` old; without `ageMaxMs`, a new one is read. */
  readonly readHead: (ageMaxMs?: number) => Promise<ChainHead>
  /** The account credited with a partner's share of a deposit in `mint`. */
  readonly partnerAccount: (mint: Address, wallet: Address) => Promise<Address>
  /**
   * An unsigned version-0 transaction in base64. The sender pays its fees. `unitPrice` is in micro-lamports per compute
   * unit.
   */
  readonly buildDeposit: (
    tree: Address,
    deposit: AuthorisedDeposit,
    head: ChainHead,
    unitPrice: bigint,
  ) => Promise<string>
}
