import { NATIVE_MINT } from '@sotto/protocol'
import { pay, place, type Market, type Placed } from '../../testing/soak/customer.ts'

const AMOUNT = 1_000_000_000n

/** Places an order for a send of SOL, as a partner would. Doesn't pay it. */
export function placeSend(market: Market, index: number): Promise<Placed> {
  return place(market, {
    ...{ index, kind: 'sol', fate: 'prompt', isExactOut: false, feeBps: undefined },
    ...{ source: NATIVE_MINT, destination: NATIVE_MINT, amount: AMOUNT },
  })
}

/**
 * Places orders and pays their deposits, for `users` users at the same time. Resolves when the deposits have landed.
 */
export async function placePaid(market: Market, count: number, users: number): Promise<void> {
  let next = 0
  const user = async () => {
    while (next < count) {
      const index = next
      next += 1
      await pay(market, await placeSend(market, index))
    }
  }
  await Promise.all(Array.from({ length: users }, user))
}
