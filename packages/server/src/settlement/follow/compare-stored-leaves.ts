import { RECENT } from '@sotto/protocol'
import type { FollowStore } from '../../ports/settlement-store.ts'
import type { TreeWitness } from './tree-witness.ts'
import type { VerifiedTree } from './verified-tree.ts'

/** Number of rounds between two comparisons. */
const ROUNDS = 4

/** Number of older leaves that each comparison also covers. */
const OLDER = 4_096

/**
 * Creates a step that compares leaves of this process's tree with the stored leaves: the newest leaves, and in turn a
 * part of the older leaves. The step drops the first leaf that differs, and all leaves after it. If a node gave false
 * leaves, another worker may since have replaced these leaves in the store. Without this step, this process would never
 * read the new leaves, and its tree couldn't prove the positions of some orders. Or the stored leaves are false,
 * because a node gave them to another worker. After leaves were dropped, the next step along the chain reads the stored
 * leaves, compares their root with the chain's root, and records the true leaves. The two steps must not run at the
 * same time.
 *
 * Two nodes may have confirmed the dropped leaves, but not the stored leaves. So the confirmed time is dropped too.
 */
export function storedLeavesComparer(
  store: Pick<FollowStore, 'readLeaves' | 'readCursor'>,
  tree: VerifiedTree,
  witness?: Pick<TreeWitness, 'forget'>,
): () => Promise<void> {
  let rounds = 0
  let olderFrom = 0
  /** Compares the leaves from index `from` to `to`. Returns the index of the first that differs, or else `to`. */
  const equalUntil = async (from: number, to: number): Promise<number> => {
    if (from >= to) return to
    const stored = await store.readLeaves(from, to - from)
    const same = stored.findIndex((leaf, place) => leaf !== tree.leaf(from + place))
    return Math.min(to, from + (same < 0 ? stored.length : same))
  }
  return async () => {
    rounds += 1
    if (rounds % ROUNDS !== 0 || tree.size === 0) return
    const recentFrom = Math.max(0, tree.size - RECENT)
    if (olderFrom >= recentFrom) olderFrom = 0
    const olderTo = Math.min(olderFrom + OLDER, recentFrom)
    const older = await equalUntil(olderFrom, olderTo)
    const kept = older < olderTo ? older : await equalUntil(recentFrom, tree.size)
    olderFrom = olderTo
    if (kept >= tree.size) return
    // The database has lost leaves at its end. The next step along the chain records them again.
    if (BigInt(kept) === (await store.readCursor()).nextLeaf) return
    tree.truncate(kept)
    tree.followedAt = undefined
    witness?.forget()
  }
}
