import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../ports/clock.ts'
import { parseApiKey } from '../usecases/api-key.ts'
import type { Caller } from '../usecases/authenticate.ts'
import { ServiceError } from '../usecases/service-error.ts'
import { RateLimit, type RateLimitOptions, type RateVerdict } from './rate-limit.ts'
import { sentHeaders } from './sent-headers.ts'
import type { UseCases } from './use-cases.ts'

export interface GateDependencies {
  readonly useCases: Pick<UseCases, 'authenticate'>
  readonly clock: Clock
  /** Of each API key. */
  readonly rateLimit: RateLimitOptions
  /** Failed authentications of each address. */
  readonly failureLimit: RateLimitOptions
}

type Gate = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>

/**
 * Lets requests with a valid key pass, within its rate. An address that failed too often is refused
 * without a look-up, except with keys that were valid here before: many partners can share one address.
 *
 * @throws ServiceError UNAUTHORIZED, RATE_LIMITED.
 */
export function createGate({ useCases, clock, rateLimit, failureLimit }: GateDependencies): Gate {
  const requests = new RateLimit('key', clock, rateLimit)
  const failures = new RateLimit('address', clock, failureLimit)
  return async (request, reply) => {
    const header = authorizationOf(request)
    if (failures.isSpent(request.ip) && !requests.knows(keyIdOf(header))) {
      throw tooMany(failures.take(request.ip), reply)
    }
    let caller: Caller
    try {
      caller = await useCases.authenticate(header)
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'UNAUTHORIZED') failures.take(request.ip)
      throw error
    }
    const verdict = requests.take(caller.keyId)
    if (!verdict.isAllowed) throw tooMany(verdict, reply)
    reply.headers(verdict.headers)
    return caller
  }
}

function tooMany(verdict: RateVerdict, reply: FastifyReply): ServiceError {
  reply.headers(verdict.headers)
  return new ServiceError('RATE_LIMITED', { retryAfterSeconds: verdict.retryAfterSeconds })
}

/**
 * The one Authorization header. Two are none, since readers differ in which one counts; a key in the
 * URL makes it none too: URLs are logged on the way, so that such a key is no secret any more.
 */
function authorizationOf(request: FastifyRequest): string | undefined {
  const sent = sentHeaders(request.raw, 'authorization')
  const query = Object.values(request.query as Record<string, string | string[]>).flat()
  return sent.length === 1 && !query.some(holdsKey) ? sent[0] : undefined
}

const holdsKey = (text: string): boolean =>
  text.split(/\s+/).some((word) => parseApiKey(word) !== undefined)

const keyIdOf = (header: string | undefined): string =>
  parseApiKey(header?.split(' ').at(-1) ?? '')?.keyId ?? ''
