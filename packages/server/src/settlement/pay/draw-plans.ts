import { boundedWallMs } from '../../domain/followed-slot.ts'
import type { ChainFollow } from '../../ports/settlement-chain.ts'
import { type PlanDependencies, drawPlan } from '../follow/plan-delivery.ts'
import type { SettlementStore } from '../../ports/settlement-store.ts'
import { underLease } from './keep-lease.ts'
import { isUnplanned } from '../notes/open-note.ts'

interface DrawDependencies extends Omit<PlanDependencies, 'store'> {
  readonly store: SettlementStore
  readonly chain: Pick<ChainFollow, 'readHead'>
  readonly workerId: string
  readonly leaseMs: number
}

/**
 * Draws the delivery times of orders whose epoch's key couldn't be read when their deposits were recorded. If the key
 * still can't be read, the order stays `deposited`, and an alert is raised.
 */
export async function drawPlans(d: DrawDependencies): Promise<void> {
  const unplanned = (await d.store.listOpen()).filter(isUnplanned)
  if (unplanned.length === 0) return
  const { unixSeconds: seconds } = await d.store.readCursor()
  // The cursor may be hours old after an outage. So a fresh head limits the wall clock.
  const head = await d.chain.readHead()
  for (const order of unplanned) {
    try {
      const secrets = await d.secrets.read(order.epoch)
      // If the order's key is still missing, the code that opens orders raises the alert.
      if (secrets === undefined) continue
      // The delay starts now, and must end within the rest of the delivery window.
      const ms = boundedWallMs(d.clock.nowMs(), head.unixSeconds, d.clockMarginSeconds)
      const sealedPlan = drawPlan(d, order, secrets, { seconds, ms })
      await underLease(d, order, async (lease) => {
        if (await d.store.tryReplacePlan(lease, sealedPlan, order.sealedPlan))
          d.log.event('plan_drawn')
      })
    } catch (error) {
      d.log.failed('draw_plan', error)
      d.log.alert('secrets_missing')
    }
  }
}
