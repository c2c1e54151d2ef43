/**
 * Puts transactions of the same slot into the order of their leaves; nodes promise no order within a
 * slot. `leafOf` gives the index of a transaction's first leaf, undefined where it has none or nobody
 * knows it: such a transaction keeps its place, and those with a leaf share out the places that they
 * had among themselves. Where an index isn't known the order may stay wrong, and the root tells.
 */
export function inLeafOrder<Transaction extends { readonly slot: bigint }>(
  transactions: readonly Transaction[],
  leafOf: (transaction: Transaction) => bigint | undefined,
): Transaction[] {
  interface Placed {
    readonly leaf: bigint
    readonly place: number
    readonly transaction: Transaction
  }
  const bySlot = new Map<bigint, Placed[]>()
  transactions.forEach((transaction, place) => {
    const leaf = leafOf(transaction)
    if (leaf === undefined) return
    const sharing = bySlot.get(transaction.slot) ?? []
    bySlot.set(transaction.slot, [...sharing, { leaf, place, transaction }])
  })
  const ordered = [...transactions]
  for (const sharing of bySlot.values()) {
    const sorted = [...sharing].sort((one, other) => (one.leaf < other.leaf ? -1 : 1))
    sharing.forEach(({ place }, index) => {
      const transaction = sorted[index]?.transaction
      if (transaction !== undefined) ordered[place] = transaction
    })
  }
  return ordered
}
