import type { Address, Amount, UnixSeconds } from '@sotto/protocol'
import type { Queue } from '../domain/delivery-schedule.ts'
import type { ShownValue } from '../domain/observed-market.ts'

export type AssetKind = 'native' | 'token' | 'token2022'

/** The operator's settings for an asset. Amounts are in base units of the asset. */
export interface AssetListing {
  readonly mint: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly kind: AssetKind
  readonly serviceBps: number
  /**
   * The tariff of a delivery. `networkFeeExists` applies if the recipient's account exists, and `networkFeeCreated` if
   * it must be created first.
   */
  readonly networkFeeExists: Amount
  readonly networkFeeCreated: Amount
  readonly inputMax: Amount
  readonly isSwappable: boolean
}

/** The part of an asset's inventory that an account's unpaid swaps reserve, in base units. */
export interface Reservation {
  readonly mint: Address
  readonly accountId: string
  readonly amount: Amount
}

/** The number of an account's orders that can still be paid, and the outcomes of its newest finished orders. */
export interface UnpaidOrders {
  readonly accountId: string
  readonly open: number
  /** Number of orders among `ended` that were paid. */
  readonly paid: number
  /** Number of the account's newest finished orders that were read, at most a hundred. */
  readonly ended: number
}

/** A worker's last report about the relayers' balances. */
export interface Liquidity {
  readonly isLiquid: boolean
  /**
   * Number of further orders that the relayers could pay for; undefined if the worker that reported runs an older
   * version.
   */
  readonly freeOrders: number | undefined
  readonly atMs: number
}

/** A worker's last report about its provers. */
export interface ProverReport {
  /** The name of the worker that reports. */
  readonly worker: string
  /**
   * Number of unsettled orders that are due soon, plus the number of signed payments. Orders of which a settlement has
   * already failed aren't counted.
   */
  readonly openOrders: number
  /** Number of proofs per hour that the worker's provers can make without a pause. */
  readonly proofsPerHour: number
  readonly atMs: number
}

export interface MarketRecord {
  /** The price step that all transactions offer; undefined if no price has been chosen yet. */
  readonly priceStep?: number | undefined
  readonly assets: readonly AssetListing[]
  /** The values that were deposited or settled recently, as the chain shows them. */
  readonly shown: readonly ShownValue[]
  readonly reservations: readonly Reservation[]
  /** The queue of the provers, according to the workers' latest reports. */
  readonly queue: Queue
  /** One entry for each account that has unpaid orders. */
  readonly unpaid: readonly UnpaidOrders[]
  /** The reason why new orders are halted; undefined while new orders are accepted. */
  readonly halted: string | undefined
  /**
   * The time when a worker last brought the database up to the finalized chain; undefined if no worker has done so yet.
   */
  readonly followedAtMs: number | undefined
  /** The chain's clock at the slot that was followed then. */
  readonly followedSeconds: UnixSeconds | undefined
  /** A worker's last report about the relayers' balances; undefined before the first report. */
  readonly liquidity: Liquidity | undefined
}

export interface MarketStore {
  /**
   * Reads all stored data that quotes need. `shown` contains the deposits and settlements since `shownSince`, in
   * seconds since 1970 by the chain's clock. Reservations and unpaid orders include only orders that can still be paid
   * at `nowSeconds`. Reports from before `reportedSinceMs` are ignored. If all reports are older, the newest report is
   * used, together with the reports that are about as old.
   */
  readonly readMarket: (
    shownSince: bigint,
    nowSeconds: UnixSeconds,
    reportedSinceMs?: number,
  ) => Promise<MarketRecord>
}
