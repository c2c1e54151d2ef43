import type { TreeTransaction } from '../../ports/settlement-chain.ts'

/**
 * Each transaction once, older slots first, however a node listed them. Within a slot the node's order is
 * kept: only the chain's accounts could correct it, and the root is compared with them.
 */
export function inChainOrder(listed: readonly TreeTransaction[]): TreeTransaction[] {
  const bySignature = new Map(listed.map((transaction) => [transaction.signature, transaction]))
  return [...bySignature.values()].sort(bySlot)
}

function bySlot(one: TreeTransaction, other: TreeTransaction): number {
  if (one.slot === other.slot) return 0
  return one.slot < other.slot ? -1 : 1
}
