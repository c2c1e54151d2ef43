import type { Clock } from '../../ports/clock.ts'
import type { OpenScope } from '../../ports/settlement-store.ts'
import type { Loop, StartLoop } from '../../running/loop.ts'
import { payScope } from './schedule.ts'

interface Pauses {
  readonly clock: Clock
  /** The pause while an order is open, in milliseconds. */
  readonly pollMs: number
  /** The pause while no order is open, in milliseconds. */
  readonly idleMs: number
  /** The pause between two rounds that read all orders, in milliseconds. */
  readonly upkeepMs: number
}

/**
 * Starts the loops that pay and confirm. A hint wakes `pay` for each deposit and payment. So while no order is open,
 * both loops may rest longer. Only open orders can get an attempt, so `pay` wakes `confirm` when it finds the first
 * open order.
 */
export function payLoops(
  { clock, pollMs, idleMs, upkeepMs }: Pauses,
  loop: StartLoop,
  step: {
    readonly pay: (scope: OpenScope) => Promise<boolean>
    readonly confirm: () => Promise<void>
  },
): Readonly<Record<'pay' | 'confirm', Loop>> {
  const scopeNow = payScope(clock, upkeepMs)
  let hasOpen = true
  const pauseMs = () => (hasOpen ? pollMs : idleMs)
  const confirm = loop('confirm', pauseMs, step.confirm)
  const pay = loop('pay', pauseMs, async () => {
    const found = await step.pay(scopeNow())
    if (found && !hasOpen) confirm.wake()
    hasOpen = found
  })
  return { pay, confirm }
}
