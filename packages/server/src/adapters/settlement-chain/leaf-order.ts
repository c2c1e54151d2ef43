import { decodeOrder, inLeafOrder } from '@sotto/protocol'
import type { TreeTransaction } from '../../ports/chain-follow.ts'
import { readAccounts } from './read-accounts.ts'
import type { ChainRpc } from './rpc-client.ts'

/**
 * Puts deposits of one slot into the order of their leaves: each Order account keeps its leaf's
 * index. Where one is closed already, the node's order stands, and the root decides.
 */
export async function orderWithinSlots(
  rpc: ChainRpc,
  transactions: readonly TreeTransaction[],
): Promise<TreeTransaction[]> {
  const crowded = transactions.filter(
    (one) =>
      one.deposits.length > 0 &&
      transactions.some(
        (other) => other !== one && other.slot === one.slot && other.deposits.length > 0,
      ),
  )
  if (crowded.length === 0) return [...transactions]
  const orders = crowded.flatMap(({ deposits }) => deposits[0]?.order ?? [])
  const { accounts } = await readAccounts(rpc, orders, { commitment: 'finalized' })
  const firstLeaf = new Map<TreeTransaction, bigint>()
  crowded.forEach((transaction, index) => {
    const account = accounts[index]
    if (account !== undefined) firstLeaf.set(transaction, decodeOrder(account.data).leafIndex)
  })
  return inLeafOrder(transactions, (one) => firstLeaf.get(one))
}
