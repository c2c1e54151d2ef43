import type { Operation } from '@sotto/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../ports/clock.ts'
import { ServiceError } from '../../usecases/service-error.ts'
import { assertMediaType } from '../assert-media-type.ts'
import type { Endpoint } from '../endpoint.ts'
import { isSameOrigin } from '../pages/same-origin.ts'
import type { RateLimitOptions } from '../../running/rate-limit.ts'
import type { UseCases } from '../use-cases.ts'
import { callAsPage, type PageRequest } from './page-calls.ts'
import { networkOf } from '../network-of.ts'
import { PageLimits, type PageCall } from './page-limits.ts'

/** The error for a request that a page of another origin makes. Browsers report the origin in `Origin`. */
function otherOrigin(): ServiceError {
  const issues = [{ param: 'Origin', message: 'only pages of this origin may call this address' }]
  return new ServiceError('FORBIDDEN', { issues })
}

export interface PageDependencies {
  readonly useCases: UseCases
  readonly clock: Clock
  /** The rate limit of an API key. All visitors of the page together get the same limit. */
  readonly rateLimit: RateLimitOptions
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** The steps that all calls of the page share: origin check, rate limits, and API key. */
export class PageRoutes {
  readonly #d: PageDependencies
  readonly #apiKey: string
  readonly #policy: Readonly<Record<string, string>>
  readonly #limits: PageLimits

  constructor(d: PageDependencies, apiKey: string, policy: Readonly<Record<string, string>>) {
    this.#d = d
    this.#apiKey = apiKey
    this.#policy = policy
    this.#limits = new PageLimits(d.clock, d.rateLimit)
  }

  /** Refuses requests from pages of other origins, and bodies in an encoding that the service can't read. */
  readonly onRequest = (
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ): void => {
    reply.headers(this.#policy)
    const { host, origin } = request.headers
    const fetchSite = String(request.headers['sec-fetch-site'] ?? '') || undefined
    const isChange = request.method !== 'GET'
    if (!isSameOrigin({ host, origin, fetchSite }, isChange)) throw otherOrigin()
    assertMediaType(request)
    done()
  }

  /** Counts a call against its sender's address. @throws ServiceError RATE_LIMITED. */
  take(kind: PageCall, { ip }: FastifyRequest): void {
    this.#limits.take(kind, ip)
  }

  /** Calls an endpoint of the API with the page's key, and returns the response's text. @throws ServiceError. */
  call(endpoint: unknown, { ip }: FastifyRequest, sent: PageRequest): Promise<string> {
    const { useCases } = this.#d
    return callAsPage(useCases, this.#apiKey, endpoint as Endpoint<Operation>, sent, networkOf(ip))
  }

  send(reply: FastifyReply, text: string): FastifyReply {
    return reply.type(JSON_TYPE).send(text)
  }
}
