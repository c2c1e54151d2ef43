import type { PublishedLeaves } from '../../packages/server/src/ports/published-leaves.ts'
import type { Node } from './node.ts'
import { quickHash } from './quick-hash.ts'

/** Leaves that another service publishes. Some may be wrong, and the newest leaves may be missing. */
export function publishedLeaves(node: () => Node): PublishedLeaves {
  return {
    read: async (from, to) => {
      const { chain, faults, ...at } = node()
      const { position } = chain.blockAt('finalized')
      if (chain.ledger.leavesAt(position) < to) throw new Error('the source lacks these leaves')
      const leaves = chain.ledger.leaves.slice(from, to).map(({ leaf }) => leaf)
      if (leaves.length > 0 && faults.fires('false_leaves', at.endpoint.name)) {
        const place = faults.random.below(leaves.length)
        leaves[place] = quickHash([leaves[place] ?? 0n])
      }
      return leaves
    },
    forget: () => undefined,
  }
}
