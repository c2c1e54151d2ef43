import type { Ground } from '../ground/open-ground.ts'
import { Traffic } from '../http/traffic.ts'

const QUOTES = 2_000
const ORDERS = 200
const QUICK = 10

/** Requests quotes and orders as partners do, so that the service fills its caches and compiles its code. */
export async function useService(
  { setup }: Ground,
  baseUrl: string,
  isQuick: boolean,
): Promise<void> {
  const traffic = new Traffic({ baseUrl, setup })
  const quotes = isQuick ? QUICK : QUOTES
  for (let count = 0; count < quotes; count += 1) await traffic.quote(traffic.warmQuote())
  const shots = await traffic.newOrders(isQuick ? QUICK : ORDERS)
  for (const shot of shots) await traffic.order(shot)
}
