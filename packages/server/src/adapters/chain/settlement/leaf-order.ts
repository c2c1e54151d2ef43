import { inLeafOrder, shownOrder, type Address } from '@sotto/protocol'
import type { TreeTransaction } from '../../../ports/settlement-chain.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/**
 * Sorts deposits of one slot by their leaves: each Order account stores its leaf's index. If one is closed already
 * (even if lamports were sent to its address since) or was created again by a later deposit of the same id, the
 * node's order is kept, and the root decides.
 */
export async function orderWithinSlots(
  rpc: ChainRpc,
  program: Address,
  transactions: readonly TreeTransaction[],
): Promise<TreeTransaction[]> {
  const depositing = transactions.filter(({ deposits }) => deposits.length > 0)
  const perSlot = new Map<bigint, number>()
  for (const { slot } of depositing) perSlot.set(slot, (perSlot.get(slot) ?? 0) + 1)
  const crowded = depositing.filter(({ slot }) => (perSlot.get(slot) ?? 0) > 1)
  if (crowded.length === 0) return [...transactions]
  const firsts = crowded.flatMap(({ deposits }) => deposits[0] ?? [])
  const orders = firsts.map(({ order }) => order)
  const { accounts } = await readAccounts(rpc, orders, { commitment: 'finalized' })
  const firstLeaf = new Map<TreeTransaction, bigint>()
  crowded.forEach((transaction, index) => {
    const order = shownOrder(program, accounts[index])
    // A later deposit of the same id has a later deadline.
    if (order !== undefined && order.deadline === firsts[index]?.deadline) {
      firstLeaf.set(transaction, order.leafIndex)
    }
  })
  return inLeafOrder(transactions, (one) => firstLeaf.get(one))
}
