import { nullifierAddress, type Address } from '@sotto/protocol'
import type { NullifierFacts } from '../../ports/chain-settle.ts'
import { readAccounts } from './read-accounts.ts'
import type { ChainRpc } from './rpc-client.ts'

/** Whether each nullifier's account exists at finality, at a slot that isn't before `slotMin`. */
export async function readNullifiers(
  rpc: ChainRpc,
  program: Address,
  nullifiers: readonly bigint[],
  slotMin: bigint,
): Promise<NullifierFacts> {
  const addresses = await Promise.all(nullifiers.map((one) => nullifierAddress(program, one)))
  const { slot, accounts } = await readAccounts(rpc, addresses, {
    commitment: 'finalized',
    slotMin,
    bytesMax: 1,
  })
  // Lamports that somebody sent ahead make an account, but not one of the program's.
  const areSettled = accounts.map((one) => one?.owner === program && one.data.length > 0)
  return { slot, areSettled }
}
