import type { Address, UnixSeconds } from '@sotto/protocol'

/**
 * Numbers of orders that the database can count. Once an order is deposited, no row shows in clear whether it is still
 * open, so only a worker knows the number of deposited orders that wait for their delivery.
 */
export interface OpenOrders {
  /** Orders whose deposit isn't recorded. Payments that await their signature aren't counted. */
  readonly awaitingDeposit: number
  /** Orders and payments on whose delivery a worker has begun to work. */
  readonly delivering: number
  /** Orders on whose refund a worker has begun to work. */
  readonly refunding: number
}

/** The state of the whole service according to the database, without orders, addresses or amounts. */
export interface Overview {
  readonly open: OpenOrders
  /**
   * The slot up to which the chain was followed, and the chain's clock at that slot; undefined if no worker has
   * followed the chain yet.
   */
  readonly followed:
    | { readonly slot: bigint; readonly unixSeconds: UnixSeconds; readonly atMs: number }
    | undefined
  /** The reason why new orders are halted; undefined while new orders are accepted. */
  readonly halted: string | undefined
  /** The last result of comparing the chain's books with the database; undefined before the first comparison. */
  readonly books: { readonly areAgreeing: boolean; readonly atMs: number } | undefined
  readonly liquidity: { readonly isLiquid: boolean; readonly atMs: number } | undefined
  /** False while payees of earlier settlements are missing. All quotes then treat their recipients as paid before. */
  readonly hasPaidPayees: boolean
}

/** The deposits of an asset in a span of the chain's time. These facts are public on the chain. */
export interface AnonymitySpan {
  readonly mint: Address
  /** The start of the span, seconds since 1970. */
  readonly fromSeconds: UnixSeconds
  readonly deposits: number
  /**
   * The size of the largest group of deposits with the same value. An observer can't distinguish the deposits of a
   * group.
   */
  readonly alike: number
}

/** An asset with its display name. */
export interface NamedAsset {
  readonly mint: Address
  readonly symbol: string
  readonly decimals: number
}

/** The data of the operator's console. No request and no payment depends on it. */
export interface OverviewStore {
  readonly readOverview: () => Promise<Overview>
  readonly readAssets: () => Promise<readonly NamedAsset[]>
  /**
   * Reads the spans that contain deposits and begin at `sinceSeconds` or later, by the chain's clock. Each span is
   * `spanSeconds` long.
   */
  readonly readAnonymitySpans: (
    sinceSeconds: UnixSeconds,
    spanSeconds: number,
  ) => Promise<readonly AnonymitySpan[]>
}
