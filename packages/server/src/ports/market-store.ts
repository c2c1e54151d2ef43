import type { Address, Amount } from '@sotto/protocol'
import type { AnonymitySet } from '../domain/anonymity-sets.ts'

/** Lamports, or tokens of one of the two token programs. */
export type AssetKind = 'native' | 'token' | 'token2022'

/** What the operator says of an asset; amounts in its base units. */
export interface AssetListing {
  readonly mint: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly kind: AssetKind
  readonly serviceBps: number
  /** The tariff: what a delivery costs where the recipient's account exists, or must be made. */
  readonly networkFeeExists: Amount
  readonly networkFeeCreated: Amount
  readonly inputMax: Amount
  readonly isSwappable: boolean
}

/** What an account's unpaid swaps hold back of an asset's inventory. */
export interface Reservation {
  readonly mint: Address
  readonly accountId: string
  readonly amount: bigint
}

/** An account's orders that can still be paid, and how its newest ended ones ended. */
export interface UnpaidOrders {
  readonly accountId: string
  readonly open: number
  /** Of `ended`, those that were paid. */
  readonly paid: number
  /** At most a hundred, the newest. */
  readonly ended: number
}

/** What a worker last found its relayers able to pay for. */
export interface Liquidity {
  readonly isLiquid: boolean
  /** How many more orders they could pay for beside those that are paid for; undefined of an older worker. */
  readonly freeOrders: number | undefined
  readonly atMs: number
}

export interface MarketRecord {
  readonly assets: readonly AssetListing[]
  readonly anonymitySets: readonly AnonymitySet[]
  readonly reservations: readonly Reservation[]
  /** Of every account that has one. */
  readonly unpaid: readonly UnpaidOrders[]
  /** Why new orders are halted; undefined where they aren't. */
  readonly halted: string | undefined
  /** When a worker last brought the database up to the finalized chain; undefined before the first time. */
  readonly followedAtMs: number | undefined
  /** Whether relayers could pay for more orders when a worker last looked; undefined before that. */
  readonly liquidity: Liquidity | undefined
}

export interface MarketStore {
  /**
   * Everything that quotes look up. Anonymity sets count deposits since a time of the chain, reservations
   * and unpaid orders those that can still be paid at `nowSeconds`.
   */
  readonly readMarket: (depositsSince: bigint, nowSeconds: bigint) => Promise<MarketRecord>
}
