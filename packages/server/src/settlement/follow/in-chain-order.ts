import type { TreeTransaction } from '../../ports/settlement-chain.ts'

/**
 * Each transaction once, and older slots first, whatever way a node listed them. Within a slot the order
 * stands in which they came: only the chain's accounts know better, and they were asked.
 */
export function inChainOrder(listed: readonly TreeTransaction[]): TreeTransaction[] {
  const bySignature = new Map(listed.map((transaction) => [transaction.signature, transaction]))
  return [...bySignature.values()].sort(bySlot)
}

function bySlot(one: TreeTransaction, other: TreeTransaction): number {
  if (one.slot === other.slot) return 0
  return one.slot < other.slot ? -1 : 1
}
