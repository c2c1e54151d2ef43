import type { Address, UnixSeconds } from '@sotto/protocol'

/** The number of orders in each status that isn't final. */
export interface OpenOrders {
  readonly awaitingDeposit: number
  readonly deposited: number
  readonly delivering: number
  readonly refunding: number
}

/** The state of the whole service in the database, without orders, addresses or amounts. */
export interface Overview {
  readonly open: OpenOrders
  /** The slot up to which the chain was followed, and its clock there; undefined before the first time. */
  readonly followed:
    { readonly slot: bigint; readonly unixSeconds: UnixSeconds; readonly atMs: number } | undefined
  /** The reason why new orders are halted; undefined while new orders are accepted. */
  readonly halted: string | undefined
  /** The last result of comparing books and database; undefined before the first comparison. */
  readonly books: { readonly areAgreeing: boolean; readonly atMs: number } | undefined
  readonly liquidity: { readonly isLiquid: boolean; readonly atMs: number } | undefined
}

/** Deposits of an asset in a span of the chain's time; these facts are public on the chain. */
export interface AnonymitySpan {
  readonly mint: Address
  /** The start of the span, seconds since 1970. */
  readonly fromSeconds: UnixSeconds
  readonly deposits: number
  /** The size of the largest group of deposits of the same value. Deposits of one group are indistinguishable. */
  readonly alike: number
}

/** An asset with its display name. */
export interface NamedAsset {
  readonly mint: Address
  readonly symbol: string
  readonly decimals: number
}

/** The data of the operator's console; no request or payment depends on it. */
export interface OverviewStore {
  readonly readOverview: () => Promise<Overview>
  readonly readAssets: () => Promise<readonly NamedAsset[]>
  /** The spans of `spanSeconds` that contain deposits, since a time of the chain's clock. */
  readonly readAnonymitySpans: (
    sinceSeconds: UnixSeconds,
    spanSeconds: number,
  ) => Promise<readonly AnonymitySpan[]>
}
