import type { Chain } from '../../../ports/chain.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { PayeeState } from '../../../ports/settlement-chain.ts'
import { answersPerAsker } from '../../../running/answers-per-asker.ts'

/**
 * Caches a recipient's state for a few seconds, separately for each account that asks. The pool's public payees are
 * watched, so answers about them are fast for every account anyway. The reader of partners' wallets has its own cache.
 */
export function withRecipientCache(chain: Chain, clock: Clock): Chain {
  const cached = answersPerAsker<PayeeState>(clock)
  return {
    ...chain,
    readRecipient: (mint, wallet, accountId) =>
      cached(accountId, `${mint} ${wallet}`, async () =>
        chain.readRecipient(mint, wallet, accountId),
      ),
  }
}
