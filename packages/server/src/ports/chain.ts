import type { Address, DepositTerms } from '@sotto/protocol'
import type { PayeeState } from './settlement-chain.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** The Pool as the chain shows it. */
export interface PoolFacts {
  readonly program: Address
  readonly domain: Uint8Array
  readonly tree: Address
  readonly authorisers: readonly Address[]
  readonly depositsPaused: boolean
  readonly maxDepositSeconds: number
  readonly maxDeliverySeconds: number
}

/** What bounds transfers of an asset, base units. */
export interface AssetFacts {
  readonly mint: Address
  readonly depositsPaused: boolean
  /** Greatest `amountIn`. */
  readonly depositMax: bigint
  /** What swaps may pay out now: inventory, within what is left of the period's cap. */
  readonly swapAvailable: bigint
}

/** Where the chain stands, at `confirmed`, with a blockhash to build on. */
export interface ChainHead {
  readonly slot: bigint
  readonly blockHeight: bigint
  /** The chain's clock, seconds since 1970. */
  readonly unixSeconds: bigint
  readonly blockhash: string
  /** The last height at which a transaction with that blockhash can land. */
  readonly lastValidBlockHeight: bigint
}

/** The terms of a deposit and an authoriser's signature over their digest. */
export interface AuthorisedDeposit {
  readonly terms: DepositTerms
  readonly authoriser: Address
  readonly digest: Uint8Array
  readonly signature: Uint8Array
}

/**
 * What quotes and orders ask of the chain. Every method throws where there is no trustworthy answer.
 * Sender and recipient of a transfer never stand in one request.
 */
export interface Chain {
  /** Undefined where the program has no Pool. */
  readonly readPool: () => Promise<PoolFacts | undefined>
  /** In the order asked for; undefined where the pool doesn't know the mint. */
  readonly readAssets: (mints: readonly Address[]) => Promise<(AssetFacts | undefined)[]>
  /** The chain's clock at a finalized slot, seconds since 1970. */
  readonly readClock: () => Promise<bigint>
  /** Whether a wallet can be paid in an asset. May be some seconds old, of what the same asker asked before. */
  readonly readRecipient: (
    mint: Address,
    wallet: Address,
    asker: string,
  ) => MaybePromise<PayeeState>
  /** Asked for less than `ageMaxMs` ago; the newest where nothing is said. */
  readonly readHead: (ageMaxMs?: number) => Promise<ChainHead>
  /** True where the order's deposit is seen at `confirmed`. */
  readonly hasDeposit: (orderId: Uint8Array) => Promise<boolean>
  /** The account credited with a partner's share of a deposit in `mint`. */
  readonly partnerAccount: (mint: Address, wallet: Address) => Promise<Address>
  /** The unsigned version-0 transaction in base64; the sender pays for it. */
  readonly buildDeposit: (
    tree: Address,
    deposit: AuthorisedDeposit,
    head: ChainHead,
  ) => Promise<string>
}
