import { until } from '../../../../testing/patience/until.ts'
import { readState, type OrderState, type PlacedOrder } from '../settlement/stack/orders.ts'
import type { Stack } from '../settlement/stack/stack.ts'

/** Waits until an order has a status. @throws Error that names the current status. */
export async function awaitStatus(
  stack: Stack,
  order: PlacedOrder,
  status: string,
): Promise<OrderState> {
  let state = await readState(stack, order)
  await until(
    async () => {
      state = await readState(stack, order)
      return state.status === status
    },
    () => `the order stayed ${state.status}`,
  )
  return state
}
