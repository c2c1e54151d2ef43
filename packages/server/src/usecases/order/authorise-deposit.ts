import { termsDigest, type DepositTerms } from '@sotto/protocol'
import type { AuthorisedDeposit, PoolFacts } from '../../ports/chain.ts'
import type { Signer } from '../../ports/signer.ts'

/** Has the authoriser sign the terms of a deposit into this pool. */
export async function authoriseDeposit(
  authoriser: Signer,
  pool: PoolFacts,
  terms: DepositTerms,
): Promise<AuthorisedDeposit> {
  const digest = termsDigest(pool, terms)
  const signature = await authoriser.sign(digest)
  return { terms, authoriser: authoriser.address, digest, signature }
}
