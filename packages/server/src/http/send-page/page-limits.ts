import type { Clock } from '../../ports/clock.ts'
import { ServiceError } from '../../usecases/service-error.ts'
import { RateLimit, type RateLimitOptions, type RateVerdict } from '../rate-limit.ts'

/** What a person's browser asks for: a poll a second, quotes as they type, a few orders. */
export type PageCall = 'read' | 'quote' | 'order' | 'node'

/** For each address. A household behind one fits; a flood does not. */
const OF_ADDRESS: Readonly<Record<PageCall, RateLimitOptions>> = {
  read: { perSecond: 5, burst: 60 },
  quote: { perSecond: 2, burst: 30 },
  // Each stores an order that somebody may have to expire.
  order: { perSecond: 0.1, burst: 10 },
  // A transfer asks its node a dozen times a second for as long as its deposit is under way.
  node: { perSecond: 15, burst: 120 },
}

/** What all browsers together may do beside partners' own requests, on each replica. */
export class PageLimits {
  readonly #all: RateLimit
  readonly #addresses: Readonly<Record<PageCall, RateLimit>>

  /** `ofKey` is what any API key may do: the page's has no more. */
  constructor(clock: Clock, ofKey: RateLimitOptions) {
    const of = (call: PageCall) => new RateLimit('address', clock, OF_ADDRESS[call])
    this.#all = new RateLimit('key', clock, ofKey)
    this.#addresses = { read: of('read'), quote: of('quote'), order: of('order'), node: of('node') }
  }

  /** @throws ServiceError RATE_LIMITED. */
  take(call: PageCall, address: string): void {
    refuse(this.#addresses[call].take(networkOf(address)))
    if (call !== 'node') refuse(this.#all.take('page'))
  }
}

function refuse({ isAllowed, retryAfterSeconds }: RateVerdict): void {
  if (!isAllowed) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds })
}

const GROUPS_OF_A_NETWORK = 4

/** Whom an address belongs to: of IPv6, one customer has a whole /64. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(0, gap)).fill('0'), ...after]
  return groups.slice(0, GROUPS_OF_A_NETWORK).join(':')
}
