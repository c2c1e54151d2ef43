import { orderAddress, shownOrder, type Address } from '@sotto/protocol'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** For each order, whether its Order account exists at `confirmed`. */
export async function readOrdersSeen(
  rpc: ChainRpc,
  program: Address,
  orderIds: readonly Uint8Array[],
): Promise<boolean[]> {
  const addresses = await Promise.all(orderIds.map((id) => orderAddress(program, id)))
  const { accounts } = await readAccounts(rpc, addresses, { commitment: 'confirmed' })
  return accounts.map((account) => shownOrder(program, account) !== undefined)
}
