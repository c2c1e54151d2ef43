import type { ChainFollow } from '../../ports/settlement-chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FollowStore } from '../../ports/settlement-store.ts'

/**
 * If a leaf is missing at the commitment `confirmed` for this time, a fork has dropped its deposit. Before that, the
 * transaction may still land. Nodes lag by less than this time, and a new finalized leaf is recorded within this time.
 */
const DROPPED_MS = 90_000

/**
 * Creates a step that records which awaiting orders have their leaf in the tree at `confirmed`. The status of such an
 * order asks its user to wait and not to sign again. The record is only for users, because payments depend on finalized
 * leaves. The step requests only the tree. So the node doesn't learn which orders the service awaits.
 */
export function depositWatcher(d: {
  readonly chain: ChainFollow
  readonly store: FollowStore
  readonly clock: Clock
  /** The number of known finalized leaves. */
  readonly size: () => number
}): () => Promise<void> {
  let marked = new Set<bigint>()
  /**
   * Leaves that were seen earlier but are now missing at `confirmed`. Each leaf has the time at which it was first
   * missing.
   */
  const missing = new Map<bigint, number>()
  let isSeeded = false
  return async () => {
    const leaves = await d.chain.readConfirmedLeaves(d.size())
    const nowMs = d.clock.nowMs()
    const fresh = leaves.filter((leaf) => !marked.has(leaf))
    if (fresh.length > 0) await d.store.markSeen(fresh, nowMs)
    if (!isSeeded) for (const leaf of await d.store.listSeen()) missing.set(leaf, nowMs)
    isSeeded = true
    const shown = new Set(leaves)
    for (const leaf of marked) if (!shown.has(leaf) && !missing.has(leaf)) missing.set(leaf, nowMs)
    for (const leaf of shown) missing.delete(leaf)
    marked = shown
    const dropped = [...missing].flatMap(([leaf, at]) => (nowMs - at >= DROPPED_MS ? [leaf] : []))
    // If a dropped leaf is finalized by now, its order is `deposited`. Then the store doesn't change the order.
    if (dropped.length > 0) await d.store.clearSeen(dropped, nowMs)
    for (const leaf of dropped) missing.delete(leaf)
  }
}
