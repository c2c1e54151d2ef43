import type { AppendingTransaction } from './history-store.ts'

/** The leaves of transactions, oldest first. The input lists the transactions newest first. */
export const leavesIn = (newestFirst: readonly AppendingTransaction[]): bigint[] =>
  newestFirst.toReversed().flatMap(({ leaves }) => leaves)

/**
 * The leaves up to and including the newest leaf of the ring, which is the Tree account's list of the newest leaves.
 * Both inputs are sorted, oldest first. The history may contain more leaves than the tree, because a full tree doesn't
 * accept the leaf that a refund's transaction contains. Returns all leaves if they don't contain the ring's leaves in
 * the ring's order.
 */
export function upToRing(leaves: readonly bigint[], ring: readonly bigint[]): readonly bigint[] {
  for (let end = leaves.length; end >= ring.length; end -= 1) {
    const from = end - ring.length
    if (ring.every((leaf, place) => leaves[from + place] === leaf)) return leaves.slice(0, end)
  }
  return leaves
}
