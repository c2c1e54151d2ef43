import { orderAddress, shownOrder, type Address } from '@sotto/protocol'
import { wholeNumber } from '../../../domain/whole-number.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/**
 * Reads the leaf index of each order from its Order account; undefined for a missing account. The finalized slot of the
 * read isn't before `slotMin`.
 */
export async function readDepositIndexes(
  rpc: ChainRpc,
  program: Address,
  orderIds: readonly Uint8Array[],
  slotMin: bigint,
): Promise<(number | undefined)[]> {
  const addresses = await Promise.all(orderIds.map((id) => orderAddress(program, id)))
  const { accounts } = await readAccounts(rpc, addresses, { commitment: 'finalized', slotMin })
  return accounts.map((account) => {
    const order = shownOrder(program, account)
    return order && wholeNumber(order.leafIndex)
  })
}
