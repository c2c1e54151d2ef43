import { ownerOf } from '@sotto/protocol'
import { deposit, placeOrder, type OrderWish, type PlacedOrder } from './orders.ts'
import type { Stack } from './stack.ts'
import { makeWallet } from './wallet.ts'

/** The seconds after which a new top-up with the usual life can be refunded. */
export const PAST_EXPIRY_SECONDS = 1_800 + 600 + 3_600 + 600
/** The secret of the balances' owner. */
export const SECRET = 4_711n
/** The value of a balance in lamports. */
export const VALUE = 300_000_000n

/** Makes an order for a balance. */
export function placeTopUp(stack: Stack, more: Partial<OrderWish> = {}): Promise<PlacedOrder> {
  const [owner, recipient] = [ownerOf(SECRET), makeWallet().address]
  return placeOrder(stack, { amountOut: VALUE, fee: 0n, recipient, owner, ...more })
}

/** Makes an order for a balance, and the order's deposit. */
export async function topUp(stack: Stack, more: Partial<OrderWish> = {}): Promise<PlacedOrder> {
  const order = await placeTopUp(stack, more)
  await deposit(stack, order)
  return order
}
