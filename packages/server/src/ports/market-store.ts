import type { Address, Amount } from '@sotto/protocol'
import type { AnonymitySet } from '../domain/anonymity-sets.ts'

/** Lamports, or tokens of one of the two token programs. */
export type AssetKind = 'native' | 'token' | 'token2022'

/** The operator's settings for an asset; amounts in its base units. */
export interface AssetListing {
  readonly mint: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly kind: AssetKind
  readonly serviceBps: number
  /** The tariff: the cost of a delivery if the recipient's account exists, and if it must be created. */
  readonly networkFeeExists: Amount
  readonly networkFeeCreated: Amount
  readonly inputMax: Amount
  readonly isSwappable: boolean
}

/** The part of an asset's inventory that an account's unpaid swaps reserve. */
export interface Reservation {
  readonly mint: Address
  readonly accountId: string
  readonly amount: bigint
}

/** An account's orders that can still be paid, and how its newest finished ones ended. */
export interface UnpaidOrders {
  readonly accountId: string
  readonly open: number
  /** How many of `ended` were paid. */
  readonly paid: number
  /** At most a hundred, the newest. */
  readonly ended: number
}

/** What the relayers can pay for, as a worker last found it. */
export interface Liquidity {
  readonly isLiquid: boolean
  /** How many further orders they could pay for; undefined if an older version's worker reported it. */
  readonly freeOrders: number | undefined
  readonly atMs: number
}

export interface MarketRecord {
  readonly assets: readonly AssetListing[]
  readonly anonymitySets: readonly AnonymitySet[]
  readonly reservations: readonly Reservation[]
  /** One for every account that has unpaid orders. */
  readonly unpaid: readonly UnpaidOrders[]
  /** Why new orders are halted; undefined if they aren't. */
  readonly halted: string | undefined
  /** When a worker last brought the database up to the finalized chain; undefined before the first time. */
  readonly followedAtMs: number | undefined
  /** Whether relayers could pay for more orders at a worker's last check; undefined before the first. */
  readonly liquidity: Liquidity | undefined
}

export interface MarketStore {
  /**
   * Everything that quotes look up. Anonymity sets count deposits since a time of the chain, reservations
   * and unpaid orders those that can still be paid at `nowSeconds`.
   */
  readonly readMarket: (depositsSince: bigint, nowSeconds: bigint) => Promise<MarketRecord>
}
