import type { Chain } from '../../../ports/chain.ts'
import type { PayeeState } from '../../../ports/settlement-chain.ts'
import type { Clock } from '../../../ports/clock.ts'
import { SharedAnswers } from '../../../running/shared-answer.ts'

/**
 * Lifetime of an answer: as long as a quote may use the snapshot of pool and assets, so that a wallet opened between
 * two quotes is noticed soon. An answer is renewed after half of this time, so that a user with a request every few
 * seconds waits only once.
 */
const KEPT_MS = 10_000
/** Bounds memory to a few MB. */
const ENTRIES_MAX = 10_000

/**
 * Caches a recipient's state for some seconds, because users request several quotes in a row. An answer is cached only
 * for the account that asked: a fast answer would reveal to another account that this wallet is being paid. Answers
 * about the pool's public payees are fast for every account. The reader of partners' wallets keeps its own answers.
 */
export function withRecipientCache(chain: Chain, clock: Clock): Chain {
  const states = new SharedAnswers<PayeeState>(clock, ENTRIES_MAX)
  return {
    ...chain,
    readRecipient: (mint, wallet, accountId) => {
      const ask = async () => chain.readRecipient(mint, wallet, accountId)
      return states.of(`${accountId} ${mint} ${wallet}`, ask).read(KEPT_MS)
    },
  }
}
