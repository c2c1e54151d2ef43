import { forgetLater } from '@sotto/protocol'
import type { Chain } from '../../../ports/chain.ts'
import type { PayeeState } from '../../../ports/settlement-chain.ts'
import type { Clock } from '../../../ports/clock.ts'
import { SharedAnswers } from '../../../running/shared-answer.ts'

/**
 * Lifetime of a cached answer. The snapshot of pool and assets that quotes use has the same lifetime. The lifetime is
 * short, so the service soon notices an account that is opened between two quotes. If an answer is requested after half
 * of this time, the cache renews it. So a user who sends a request every few seconds waits only for the first answer.
 */
const KEPT_MS = 10_000
/** Maximum number of cached answers, which together take a few megabytes. */
const ENTRIES_MAX = 10_000
/** Interval at which expired answers are dropped. */
const DROP_MS = 60_000

/**
 * Caches a recipient's state for a few seconds, because users request several quotes in a row. An answer is cached only
 * for the account that asked. Otherwise, a fast answer would reveal to another account that someone pays this wallet.
 * Answers about the pool's public payees are fast for every account. The reader of partners' wallets has its own cache.
 *
 * Expired answers are dropped within a minute. An answer's time and account would show which deposit pays the wallet,
 * even after the order's key is destroyed.
 */
export function withRecipientCache(chain: Chain, clock: Clock): Chain {
  const states = new SharedAnswers<PayeeState>(clock, ENTRIES_MAX)
  const forget = forgetLater(() => states.dropOlder(KEPT_MS), DROP_MS)
  return {
    ...chain,
    readRecipient: (mint, wallet, accountId) => {
      forget()
      const ask = async () => chain.readRecipient(mint, wallet, accountId)
      return states.of(`${accountId} ${mint} ${wallet}`, ask).read(KEPT_MS)
    },
  }
}
