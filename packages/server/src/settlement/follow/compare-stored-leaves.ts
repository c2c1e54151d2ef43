import { RECENT } from '@sotto/protocol'
import type { FollowStore } from '../../ports/settlement-store.ts'
import type { TreeWitness } from './tree-witness.ts'
import type { VerifiedTree } from './verified-tree.ts'

/** Number of rounds between two comparisons. */
const ROUNDS = 4

/**
 * Creates a step that compares the newest leaves of this process's tree with the stored leaves. The step drops the
 * first leaf that differs, and all leaves after it. If a node gave false leaves, another worker may since have replaced
 * these leaves in the store. Without this step, this process would never read the new leaves, and its tree couldn't
 * prove the positions of some orders. After leaves were dropped, the next step along the chain reads the stored leaves,
 * compares their root with the chain's root, and records the true leaves. The two steps must not run at the same time.
 *
 * Two nodes may have confirmed the dropped leaves, but not the stored leaves. So the confirmed time is dropped too.
 */
export function storedLeavesComparer(
  store: Pick<FollowStore, 'readLeaves'>,
  tree: VerifiedTree,
  witness?: Pick<TreeWitness, 'forget'>,
): () => Promise<void> {
  let rounds = 0
  return async () => {
    rounds += 1
    if (rounds % ROUNDS !== 0 || tree.size === 0) return
    const from = Math.max(0, tree.size - RECENT)
    const stored = await store.readLeaves(from)
    const same = stored.findIndex((leaf, place) => leaf !== tree.leaf(from + place))
    const kept = from + (same < 0 ? stored.length : same)
    if (kept >= tree.size) return
    tree.truncate(kept)
    witness?.forget()
  }
}
