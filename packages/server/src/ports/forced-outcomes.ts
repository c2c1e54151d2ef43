/** The outcomes that partners can force on the local chain, to test every branch of their integration. */
export type ForcedOutcome =
  | 'delivered'
  | 'slow'
  | 'refunded'
  | 'expired'
  | 'price_moved'
  | 'no_liquidity'

/** Maps special recipients to forced outcomes. Outside test mode, no recipient is special. */
export interface ForcedOutcomes {
  /** Returns the forced outcome of a recipient; undefined for ordinary recipients. */
  readonly of: (recipient: string) => ForcedOutcome | undefined
}
