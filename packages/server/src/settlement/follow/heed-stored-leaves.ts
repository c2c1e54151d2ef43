import { RECENT } from '@sotto/protocol'
import type { FollowStore } from '../../ports/settlement-store.ts'
import type { VerifiedTree } from './verified-tree.ts'

/** Rounds between two comparisons. */
const ROUNDS = 4

/**
 * A step that compares the newest leaves of this process's tree with the stored ones, and drops those that differ.
 * Another worker may have replaced stored leaves after a node lied to it. This worker would never read them again, and
 * orders would keep places that its tree can't prove. Without them, the next step reads the stored leaves, compares
 * their root with the chain's, and records the true ones. It must not run during a step along the chain.
 */
export function storedLeavesHeeder(
  store: Pick<FollowStore, 'readLeaves'>,
  tree: VerifiedTree,
): () => Promise<void> {
  let rounds = 0
  return async () => {
    rounds += 1
    if (rounds % ROUNDS !== 0 || tree.size === 0) return
    const from = Math.max(0, tree.size - RECENT)
    const stored = await store.readLeaves(from)
    const same = stored.findIndex((leaf, place) => leaf !== tree.leaf(from + place))
    tree.truncate(from + (same < 0 ? stored.length : same))
  }
}
