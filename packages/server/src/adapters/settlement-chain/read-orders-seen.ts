import { orderAddress, type Address } from '@sotto/protocol'
import { readAccounts } from './read-accounts.ts'
import type { ChainRpc } from './rpc-client.ts'

/** For each order, whether its Order account exists at `confirmed`. */
export async function readOrdersSeen(
  rpc: ChainRpc,
  program: Address,
  orderIds: readonly Uint8Array[],
): Promise<boolean[]> {
  const addresses = await Promise.all(orderIds.map((id) => orderAddress(program, id)))
  const { accounts } = await readAccounts(rpc, addresses, { commitment: 'confirmed', bytesMax: 1 })
  // Anyone may send lamports to the address; only the program gives it data.
  return accounts.map((account) => account?.owner === program && account.data.length > 0)
}
