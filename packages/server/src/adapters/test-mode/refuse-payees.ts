import type { ForcedOutcomes } from '../../ports/forced-outcomes.ts'
import type { SettlementChain } from '../../ports/settlement-chain.ts'

/**
 * Wraps a chain for test mode. The recipients that force a refund count as blocked, as if their accounts had become
 * unusable after the quote. Settlement then does what it always does: it waits, and refunds after the expiry.
 */
export const refusePayees = (
  chain: SettlementChain,
  outcomes: ForcedOutcomes,
): SettlementChain => ({
  ...chain,
  readPayee: async (mint, wallet, role) =>
    outcomes.of(wallet) === 'refunded' ? 'blocked' : chain.readPayee(mint, wallet, role),
  // If `hasWitnesses` were true, the last try before the expiry would be made although the recipient counts as blocked.
  // That try would land, because these recipients can really be paid.
  hasWitnesses: false,
})
