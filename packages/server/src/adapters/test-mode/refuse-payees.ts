import type { ForcedOutcomes } from '../../ports/forced-outcomes.ts'
import type { SettlementChain } from '../../ports/settlement-chain.ts'

/**
 * A chain on which test mode's refund recipients can't be paid, as if their accounts had become unusable after the
 * quote. Settlement then behaves as usual: it waits, and refunds after the expiry.
 */
export const refusePayees = (
  chain: SettlementChain,
  outcomes: ForcedOutcomes,
): SettlementChain => ({
  ...chain,
  readPayee: async (mint, wallet, role) =>
    outcomes.of(wallet) === 'refunded' ? 'blocked' : chain.readPayee(mint, wallet, role),
})
