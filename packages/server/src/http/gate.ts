import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../ports/clock.ts'
import type { MaybePromise } from '../ports/maybe-promise.ts'
import { isImmediate } from '../running/is-immediate.ts'
import type { Caller } from '../usecases/access/authenticate.ts'
import { ServiceError } from '../usecases/service-error.ts'
import { FailedKeys } from './failed-keys.ts'
import { RateLimit, type RateLimitOptions, type RateVerdict } from '../running/rate-limit.ts'
import { networkOf } from './network-of.ts'
import { sentHeaders } from './sent-headers.ts'
import { urlHoldsKey } from './url-holds-key.ts'
import type { UseCases } from './use-cases.ts'

export interface GateDependencies {
  readonly useCases: Pick<UseCases, 'authenticate'>
  readonly clock: Clock
  /** Requests allowed for each API key. */
  readonly rateLimit: RateLimitOptions
  /** Failed authentications allowed for each address; for IPv6, for each network (see `networkOf`). */
  readonly failureLimit: RateLimitOptions
}

type Gate = (request: FastifyRequest, reply: FastifyReply) => MaybePromise<Caller>

/**
 * Creates the gate, which admits requests with a valid key, up to the key's rate. After too many failed authentications
 * from an address, the gate refuses that address's requests without reading the database. `FailedKeys` describes the
 * exceptions.
 *
 * The gate throws ServiceError UNAUTHORIZED or RATE_LIMITED.
 */
export function createGate({ useCases, clock, rateLimit, failureLimit }: GateDependencies): Gate {
  const requests = new RateLimit('key', clock, rateLimit)
  const failures = new FailedKeys(clock, failureLimit)
  return (request, reply) => {
    const header = authorizationOf(request)
    // An internet provider usually gives each customer a whole IPv6 network. So one sender could use a new address for
    // each request.
    const network = networkOf(request.ip)
    const refusal = failures.refusalOf(network, header)
    if (refusal !== undefined) throw tooMany(refusal, reply)
    const refused = (error: unknown): never => {
      if (error instanceof ServiceError && error.code === 'UNAUTHORIZED') {
        failures.failed(network, header)
      }
      throw error
    }
    const passed = (caller: Caller): Caller => {
      failures.succeeded(caller.keyId, header ?? '')
      const verdict = requests.take(caller.keyId)
      if (!verdict.isAllowed) throw tooMany(verdict, reply)
      reply.headers(verdict.headers)
      return caller
    }
    let caller: MaybePromise<Caller>
    try {
      caller = useCases.authenticate(header)
    } catch (error) {
      return refused(error)
    }
    return isImmediate(caller) ? passed(caller) : caller.then(passed, refused)
  }
}

function tooMany(verdict: RateVerdict, reply: FastifyReply): ServiceError {
  reply.headers(verdict.headers)
  return new ServiceError('RATE_LIMITED', { retryAfterSeconds: verdict.retryAfterSeconds })
}

/**
 * Returns the value of the Authorization header. Returns undefined if there are two such headers, because some programs
 * use the first header and others the second. Also returns undefined if the URL contains a key. Proxies log URLs, so a
 * key in a URL isn't secret any more.
 */
function authorizationOf(request: FastifyRequest): string | undefined {
  const sent = sentHeaders(request.raw, 'authorization')
  return sent.length === 1 && !urlHoldsKey(request.originalUrl) ? sent[0] : undefined
}
