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
   * The network fee of a delivery. `networkFeeExists` applies if the recipient's token account exists, and
   * `networkFeeCreated` if the delivery must create this account.
   */
  readonly networkFeeExists: Amount
  readonly networkFeeCreated: Amount
  readonly inputMax: Amount
  readonly isSwappable: boolean
}

/** The fees of a listed asset. */
export type ListedTariff = Pick<
  AssetListing,
  'serviceBps' | 'networkFeeExists' | 'networkFeeCreated'
>

/**
 * The part of an asset's inventory that the unpaid swaps of an account reserve, in base units. For the send page, each
 * network of visitors has its own reservation.
 */
export interface Reservation {
  readonly mint: Address
  readonly accountId: string
  /** The name of the visitors' network; undefined for swaps that were ordered with an API key. */
  readonly network?: Uint8Array | undefined
  readonly amount: Amount
}

/**
 * The number of an account's unpaid orders, and the outcomes of the account's newest finished orders. An unpaid order
 * is an order that can still be paid.
 */
export interface UnpaidOrders {
  readonly accountId: string
  readonly open: number
  /** Number of the `ended` orders that were paid. */
  readonly paid: number
  /** Number of finished orders of the account that were examined: the newest orders, at most a hundred. */
  readonly ended: number
}

/** A worker's last report about the relayers' balances. */
export interface Liquidity {
  readonly isLiquid: boolean
  /**
   * Number of further orders whose settlements the relayers could pay for; undefined if the report is from a worker of
   * an older version.
   */
  readonly freeOrders: number | undefined
  readonly atMs: number
}

/** A worker's last report about its provers. */
export interface ProverReport {
  /** The name of the worker that reports. */
  readonly worker: string
  /**
   * Number of unsettled orders that are due soon, plus the number of signed payments. An order is not counted if an
   * attempt to settle it has already failed.
   */
  readonly openOrders: number
  /** Number of proofs per hour that the worker's provers can make without a pause. */
  readonly proofsPerHour: number
  readonly atMs: number
}

export interface MarketRecord {
  /**
   * The priority price that all transactions of the service offer, as an index of `UNIT_PRICES`; undefined if no price
   * has been chosen yet.
   */
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
   * The time when a worker last copied the newest finalized data of the chain into the database; undefined if no worker
   * has done this yet.
   */
  readonly followedAtMs: number | undefined
  /** The chain's clock at the slot up to which a worker last copied the chain. */
  readonly followedSeconds: UnixSeconds | undefined
  /** The last report of a worker about the relayers' balances; undefined before the first report. */
  readonly liquidity: Liquidity | undefined
}

export interface MarketStore {
  /**
   * Reads all stored data that quotes need. `shown` contains the deposits and settlements since `shownSince`, in
   * seconds since 1970 by the chain's clock. Reservations and unpaid orders include only orders that can still be paid
   * at `nowSeconds`. Reports from before `reportedSinceMs` are ignored. If all reports are from before that time, the
   * newest report is used, together with the reports that are almost as new.
   */
  readonly readMarket: (
    shownSince: bigint,
    nowSeconds: UnixSeconds,
    reportedSinceMs?: number,
  ) => Promise<MarketRecord>
}
