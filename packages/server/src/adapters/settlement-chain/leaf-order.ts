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
  const depositing = transactions.filter(({ deposits }) => deposits.length > 0)
  const perSlot = new Map<bigint, number>()
  for (const { slot } of depositing) perSlot.set(slot, (perSlot.get(slot) ?? 0) + 1)
  const crowded = depositing.filter(({ slot }) => (perSlot.get(slot) ?? 0) > 1)
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
