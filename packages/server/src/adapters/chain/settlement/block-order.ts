import { MAX_SUPPORTED_TRANSACTION_VERSION } from '@solana/kit'
import type { TreeTransaction } from '../../../ports/settlement-chain.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/**
 * Sorts transactions by slot. Nodes don't promise an order within a slot, so the transactions of one slot are sorted as
 * in their block. If the node doesn't return the block, these transactions keep the listed order. Later, the caller
 * computes the root, which shows whether the order is correct.
 */
export async function inBlockOrder(
  rpc: ChainRpc,
  transactions: readonly TreeTransaction[],
): Promise<TreeTransaction[]> {
  const bySlot = new Map<bigint, TreeTransaction[]>()
  for (const one of transactions) bySlot.set(one.slot, [...(bySlot.get(one.slot) ?? []), one])
  const ordered: TreeTransaction[] = []
  for (const [slot, sharing] of [...bySlot].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const places = sharing.length > 1 ? await placesOf(rpc, slot) : undefined
    const place = ({ signature }: TreeTransaction) => places?.get(signature) ?? 0
    ordered.push(...sharing.toSorted((one, other) => place(one) - place(other)))
  }
  return ordered
}

async function placesOf(
  rpc: ChainRpc,
  slot: bigint,
): Promise<ReadonlyMap<string, number> | undefined> {
  try {
    const block = await rpc
      .getBlock(slot, {
        commitment: 'finalized',
        transactionDetails: 'signatures',
        rewards: false,
        maxSupportedTransactionVersion: MAX_SUPPORTED_TRANSACTION_VERSION,
      })
      .send()
    if (block === null) return undefined
    return new Map(block.signatures.map((signature, place) => [signature, place]))
  } catch {
    return undefined
  }
}
