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
  const places = new Map<bigint, number[]>()
  const leaves = transactions.map(leafOf)
  transactions.forEach(({ slot }, place) => {
    if (leaves[place] === undefined) return
    places.set(slot, [...(places.get(slot) ?? []), place])
  })
  const ordered = [...transactions]
  for (const mixed of places.values()) {
    const sorted = [...mixed].sort((one, other) => (leaves[one]! < leaves[other]! ? -1 : 1))
    sorted.forEach((from, index) => (ordered[mixed[index]!] = transactions[from]!))
  }
  return ordered
}
