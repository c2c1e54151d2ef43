import { RateLimit } from '../running/rate-limit.ts'
import type { Clock } from '../ports/clock.ts'
import type { CrowdOrders } from '../usecases/order/crowd-orders.ts'

const DAY_SECONDS = 86_400
/** The limit of a network on the send page is the limit of the account, divided by this number. */
const NETWORK_PART = 50

/** This replica's limits on orders that ask for a refund if their crowd isn't reached. */
export function crowdOrdersOf(perDay: number, clock: Clock): CrowdOrders {
  const of = (name: string, count: number) =>
    new RateLimit(name, clock, { perSecond: count / DAY_SECONDS, burst: count })
  return {
    ofAccounts: of('key', perDay),
    ofNetworks: of('address', Math.max(1, Math.floor(perDay / NETWORK_PART))),
  }
}
