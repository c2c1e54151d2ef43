import type { ChainFollow } from '../../ports/settlement-chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FollowStore } from '../../ports/settlement-store.ts'

/**
 * A step that records which awaiting orders have their leaf in the tree at `confirmed`, so that users see that they
 * should wait and not sign again. This is only a hint: payments follow finalized leaves. It asks for the tree
 * alone, so that the node doesn't learn which orders are awaited.
 */
export function depositWatcher(d: {
  readonly chain: ChainFollow
  readonly store: FollowStore
  readonly clock: Clock
  /** How many leaves are known at finality. */
  readonly size: () => number
}): () => Promise<void> {
  let marked = new Set<bigint>()
  return async () => {
    const leaves = await d.chain.readConfirmedLeaves(d.size())
    const fresh = leaves.filter((leaf) => !marked.has(leaf))
    if (fresh.length > 0) await d.store.markSeen(fresh, d.clock.nowMs())
    marked = new Set(leaves)
  }
}
