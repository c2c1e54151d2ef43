import type { ForcedOutcome, ForcedOutcomes } from '../../ports/forced-outcomes.ts'

// Each address was written by hand as text that decodes to 32 bytes. So no one has a key for it. These addresses must
// never change, because docs/test-mode.md and partners' tests contain them.
const RECIPIENTS: ReadonlyMap<string, ForcedOutcome> = new Map([
  ['TestDeLivered111111111111111111111111111111', 'delivered'],
  ['TestSLow11111111111111111111111111111111111', 'slow'],
  ['TestRefunded1111111111111111111111111111111', 'refunded'],
  ['TestExpired11111111111111111111111111111111', 'expired'],
  ['TestPriceMoved11111111111111111111111111111', 'price_moved'],
  ['TestNoLiquidity1111111111111111111111111111', 'no_liquidity'],
])

/** Recognises recipients that force an outcome. No other code recognises them. */
export const testRecipients: ForcedOutcomes = { of: (recipient) => RECIPIENTS.get(recipient) }
