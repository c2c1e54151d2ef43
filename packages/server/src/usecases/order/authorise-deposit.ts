import { termsDigest, type DepositTerms } from '@sotto/protocol'
import type { AuthorisedDeposit, PoolFacts } from '../../ports/chain.ts'
import type { Signer } from '../../ports/signer.ts'

/** Returns a deposit whose terms the authoriser has signed for this pool. */
export async function authoriseDeposit(
  authoriser: Signer,
  pool: PoolFacts,
  terms: DepositTerms,
): Promise<AuthorisedDeposit> {
  const digest = termsDigest(pool, terms)
  const signature = await authoriser.sign(digest)
  return { terms, authoriser: authoriser.address, digest, signature }
}
