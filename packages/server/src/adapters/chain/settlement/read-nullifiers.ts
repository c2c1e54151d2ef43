import { nullifierAddress, shownNullifier, type Address } from '@sotto/protocol'
import type { NullifierFacts } from '../../../ports/settlement-chain.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/**
 * Reads each nullifier's account at a finalized slot; undefined for a missing account. With `slotMin`, the slot isn't
 * before `slotMin`.
 */
export async function readNullifiers(
  rpc: ChainRpc,
  program: Address,
  nullifiers: readonly bigint[],
  slotMin?: bigint,
): Promise<NullifierFacts> {
  const addresses = await Promise.all(nullifiers.map((one) => nullifierAddress(program, one)))
  const { slot, accounts } = await readAccounts(rpc, addresses, {
    commitment: 'finalized',
    ...(slotMin === undefined ? {} : { slotMin }),
  })
  const settled = accounts.map((account) => {
    const nullifier = shownNullifier(program, account)
    return nullifier && { atSeconds: nullifier.settledAt, rentPayer: nullifier.rentPayer }
  })
  return { slot, settled }
}
