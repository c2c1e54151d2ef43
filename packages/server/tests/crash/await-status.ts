import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { readState, type OrderState, type PlacedOrder } from '../settlement/stack/orders.ts'
import type { Stack } from '../settlement/stack/stack.ts'

/** Longest wait for a status: failures heal only after pauses that have doubled, and machines are busy. */
const PATIENCE_MS = 240_000
const POLL_MS = 100

/** Waits until an order has a status. @throws Error that names the current status. */
export async function awaitStatus(
  stack: Stack,
  order: PlacedOrder,
  status: string,
): Promise<OrderState> {
  const endMs = Date.now() + PATIENCE_MS
  for (;;) {
    const state = await readState(stack, order)
    if (state.status === status) return state
    if (Date.now() > endMs) throw new Error(`the order stayed ${state.status}`)
    await systemClock.sleep(POLL_MS)
  }
}
