import type { Clock } from '../ports/clock.ts'
import { RateLimit, type RateLimitOptions, type RateVerdict } from '../running/rate-limit.ts'
import { siteOf } from '../usecases/access/site-of.ts'

/** All networks of a site together get this number of times the limit of one network. */
const NETWORKS_OF_A_SITE = 4

/**
 * A rate limit for each network, and a higher limit for each site. Without the limit for a site, a customer with many
 * IPv6 networks could send any number of requests.
 */
export class NetworkLimit {
  readonly #networks: RateLimit
  readonly #sites: RateLimit

  constructor(clock: Clock, options: RateLimitOptions) {
    const { perSecond, burst } = options
    this.#networks = new RateLimit('address', clock, options)
    this.#sites = new RateLimit('address', clock, {
      perSecond: perSecond * NETWORKS_OF_A_SITE,
      burst: burst * NETWORKS_OF_A_SITE,
    })
  }

  /** True if the limit of the network or of its site is used up. Takes nothing. */
  isSpent(network: string): boolean {
    return this.#sites.isSpent(siteOf(network)) || this.#networks.isSpent(network)
  }

  /**
   * Takes one request. A refused request takes nothing from the limit of the site, so one network can't use up the
   * limits of its neighbours.
   */
  take(network: string): RateVerdict {
    const site = siteOf(network)
    if (this.#sites.isSpent(site)) return this.#sites.take(site)
    const verdict = this.#networks.take(network)
    if (verdict.isAllowed) this.#sites.take(site)
    return verdict
  }
}
