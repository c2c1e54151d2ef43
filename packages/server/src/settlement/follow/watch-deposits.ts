import type { ChainFollow } from '../../ports/settlement-chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FollowStore } from '../../ports/settlement-store.ts'

/**
 * How long a leaf must be missing at `confirmed` before its deposit counts as dropped with a fork: as long as a
 * transaction can still land, and longer than a node lags or a leaf takes to be recorded.
 */
const DROPPED_MS = 90_000

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
  /** Leaves that were seen and aren't at `confirmed` now, with the time at which that was noticed. */
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
    // Of a leaf that became final the order is deposited by now, and the store leaves it as it is.
    if (dropped.length > 0) await d.store.clearSeen(dropped, nowMs)
    for (const leaf of dropped) missing.delete(leaf)
  }
}
