import type { ChainFollow } from '../../ports/settlement-chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { FollowStore } from '../../ports/settlement-store.ts'

/** Orders asked about in one round: four requests of a hundred accounts. */
const UNSEEN_MAX = 400

/**
 * Records which awaiting orders have a deposit at `confirmed`, so that users see that they should wait and not
 * sign again. This is only a hint: payments follow finalized deposits.
 */
export async function watchDeposits(d: {
  readonly chain: ChainFollow
  readonly store: FollowStore
  readonly clock: Clock
}): Promise<void> {
  const unseen = await d.store.listUnseen(UNSEEN_MAX)
  if (unseen.length === 0) return
  const seen = await d.chain.readOrdersSeen(unseen)
  const orders = unseen.filter((_, index) => seen[index] === true)
  if (orders.length > 0) await d.store.markSeen(orders, d.clock.nowMs())
}
