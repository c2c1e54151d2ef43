import { programDataAddress, shownProgramFacts, type ProgramFacts } from '@sotto/protocol'
import type { Address } from '@solana/kit'
import { readAccount, type RecoveryRpc } from './read-accounts.ts'
import { RecoveryError } from './recovery-error.ts'

/**
 * Reads public facts about a deployed program at `confirmed`: the hash of its code, whether this package was built
 * for it, and who may replace it. @throws RecoveryError WRONG_CLUSTER if there is no upgradeable program at the
 * address.
 */
export async function readProgramFacts(rpc: RecoveryRpc, program: Address): Promise<ProgramFacts> {
  const facts = shownProgramFacts(await readAccount(rpc, await programDataAddress(program)))
  if (facts === undefined) {
    throw new RecoveryError(
      'WRONG_CLUSTER',
      "the cluster has no record of the program: check the RPC endpoint and the program's id",
    )
  }
  return facts
}
