import { RateLimit } from '../http/rate-limit.ts'
import type { Clock } from '../ports/clock.ts'
import type { CrowdOrders } from '../usecases/order/crowd-orders.ts'

const DAY_SECONDS = 86_400
/** The share of an account's orders that one network on the send page gets, as a divisor. */
const NETWORK_PART = 50

/** This replica's limits of orders that ask for a refund if their crowd doesn't come. */
export function crowdOrdersOf(perDay: number, clock: Clock): CrowdOrders {
  const of = (name: string, count: number) =>
    new RateLimit(name, clock, { perSecond: count / DAY_SECONDS, burst: count })
  return {
    ofAccounts: of('key', perDay),
    ofNetworks: of('address', Math.max(1, Math.floor(perDay / NETWORK_PART))),
  }
}
