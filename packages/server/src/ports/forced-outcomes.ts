/** The outcomes that a partner can force on the local chain, to test every branch of their integration. */
export type ForcedOutcome =
  'delivered' | 'slow' | 'refunded' | 'expired' | 'price_moved' | 'no_liquidity'

/** Maps special recipients to forced outcomes. Outside test mode there are none. */
export interface ForcedOutcomes {
  /** Undefined for ordinary recipients. */
  readonly of: (recipient: string) => ForcedOutcome | undefined
}
