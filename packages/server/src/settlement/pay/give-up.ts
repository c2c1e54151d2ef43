import { complete } from './confirm.ts'
import { nameOf, type OpenedOrder } from './open-note.ts'
import { outcomeOfHistory } from './settled-outcome.ts'
import type { SettleDependencies } from './settle-dependencies.ts'

/**
 * What is left to do for a note past its refund window: nothing pays it any more. It may have been settled
 * so long ago that its Nullifier is closed, which a rebuilt database doesn't know; then only history says
 * how (I2). Where that shows nothing either, somebody has to know: no status that ends it would be true.
 */
export async function giveUp(
  d: Pick<SettleDependencies, 'chain' | 'store' | 'clock' | 'log' | 'retries'>,
  opened: OpenedOrder,
): Promise<void> {
  // Whatever comes of it, history isn't asked at each look.
  d.retries.rest(opened.order.orderId, d.clock.nowMs())
  const found = await d.chain.findSettlement(opened.nullifier)
  if (found === undefined) return d.log.alert('note_unclaimed', nameOf(opened))
  await complete(d, opened, outcomeOfHistory(opened, found))
}
