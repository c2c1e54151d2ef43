import type { AppendingTransaction } from './read-history.ts'

/** The leaves of transactions, oldest first. The transactions are given newest first. */
export const leavesIn = (newestFirst: readonly AppendingTransaction[]): bigint[] =>
  newestFirst.toReversed().flatMap(({ leaves }) => leaves)

/**
 * The leaves up to the newest one of the ring; both lists are oldest first. In a full tree a refund lands without its
 * leaf, so history lists more leaves than the tree has. Returns all leaves if they don't contain the ring in this
 * order.
 */
export function upToRing(leaves: readonly bigint[], ring: readonly bigint[]): readonly bigint[] {
  for (let end = leaves.length; end >= ring.length; end -= 1) {
    const from = end - ring.length
    if (ring.every((leaf, place) => leaves[from + place] === leaf)) return leaves.slice(0, end)
  }
  return leaves
}
