import type { Address } from '@sotto/protocol'

/** How many orders stand where; of those that are not final. */
export interface OpenOrders {
  readonly awaitingDeposit: number
  readonly deposited: number
  readonly delivering: number
  readonly refunding: number
}

/** What the database says of the service as a whole: no order, no address, no amount. */
export interface Overview {
  readonly open: OpenOrders
  /** How far the chain was followed, and by its own clock; undefined before the first look. */
  readonly followed:
    { readonly slot: bigint; readonly unixSeconds: bigint; readonly atMs: number } | undefined
  /** Why new orders are halted; undefined where they aren't. */
  readonly halted: string | undefined
  /** What workers last found; undefined before they looked. */
  readonly books: { readonly areAgreeing: boolean; readonly atMs: number } | undefined
  readonly liquidity: { readonly isLiquid: boolean; readonly atMs: number } | undefined
}

/** Deposits of an asset in a span of the chain's time; facts that the chain shows everybody. */
export interface AnonymitySpan {
  readonly mint: Address
  /** The span's beginning, seconds since 1970. */
  readonly fromSeconds: bigint
  readonly deposits: number
  /** The most deposits among them that look the same: one amount, one fee. */
  readonly alike: number
}

/** An asset as people know it. */
export interface NamedAsset {
  readonly mint: Address
  readonly symbol: string
  readonly decimals: number
}

/** What the operator's console reads; nothing of it is on the way of a request or a payment. */
export interface OverviewStore {
  readonly readOverview: () => Promise<Overview>
  readonly readAssets: () => Promise<readonly NamedAsset[]>
  /** Spans of so many seconds in which something was deposited, from a time of the chain on. */
  readonly readAnonymitySpans: (
    sinceSeconds: bigint,
    spanSeconds: number,
  ) => Promise<readonly AnonymitySpan[]>
}
