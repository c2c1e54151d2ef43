/** What a partner can have happen to a transfer on the local chain, to test every branch of theirs. */
export type ForcedOutcome =
  'delivered' | 'slow' | 'refunded' | 'expired' | 'price_moved' | 'no_liquidity'

/** Knows recipients that stand for an outcome. There is none outside test mode. */
export interface ForcedOutcomes {
  /** Undefined for everybody's own recipients. */
  readonly of: (recipient: string) => ForcedOutcome | undefined
}
