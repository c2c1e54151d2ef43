import { NetworkLimit } from '../network-limit.ts'
import { networkOf } from '../network-of.ts'
import type { Clock } from '../../ports/clock.ts'
import { ServiceError } from '../../usecases/service-error.ts'
import { RateLimit, type RateLimitOptions, type RateVerdict } from '../../running/rate-limit.ts'

/**
 * The kinds of calls that a browser makes. A browser makes a `read` call each second, `quote` calls while its user
 * types, and a few `order` calls. `node` calls are requests to a node through the relay.
 */
export type PageCall = 'read' | 'quote' | 'order' | 'node'

/** Limit of the reads from one network. It covers public data, and the calls about a browser's own orders. */
export const NETWORK_READS: RateLimitOptions = { perSecond: 5, burst: 60 }

/**
 * Limits for each address; for IPv6, for each network (see `networkOf`) and each site (see `NetworkLimit`). They are
 * high enough for a household that shares an address, but too low for a flood.
 */
const OF_ADDRESS: Readonly<Record<PageCall, RateLimitOptions>> = {
  read: NETWORK_READS,
  quote: { perSecond: 2, burst: 30 },
  // This limit is low, because each call stores an order. If the order isn't paid, settlement must later expire it.
  order: { perSecond: 0.1, burst: 10 },
  // This limit is high, because the page queries the node a dozen times a second during a deposit.
  node: { perSecond: 15, burst: 120 },
}

/** Limits of the browsers' calls on each replica, for each address and for all addresses together. */
export class PageLimits {
  readonly #all: RateLimit
  readonly #addresses: Readonly<Record<PageCall, NetworkLimit>>

  /** `ofKey` is the limit of a single API key. All visitors together get this limit, but `node` calls don't count. */
  constructor(clock: Clock, ofKey: RateLimitOptions) {
    const of = (call: PageCall) => new NetworkLimit(clock, OF_ADDRESS[call])
    this.#all = new RateLimit('key', clock, ofKey)
    this.#addresses = { read: of('read'), quote: of('quote'), order: of('order'), node: of('node') }
  }

  /** Counts a call. @throws ServiceError RATE_LIMITED. */
  take(call: PageCall, address: string | undefined): void {
    refuse(this.#addresses[call].take(networkOf(address)))
    if (call !== 'node') refuse(this.#all.take('page'))
  }
}

function refuse({ isAllowed, retryAfterSeconds }: RateVerdict): void {
  if (!isAllowed) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds })
}
