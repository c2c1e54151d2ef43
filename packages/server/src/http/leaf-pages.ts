import { OPERATIONS } from '@sotto/contract'
import { parseWhole } from '@sotto/protocol'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../ports/clock.ts'
import { ServiceError } from '../usecases/service-error.ts'
import { NetworkLimit } from './network-limit.ts'
import { networkOf } from './network-of.ts'
import { NETWORK_READS } from './send-page/page-limits.ts'
import type { UseCases } from './use-cases.ts'
import { validate } from './validate.ts'

const { path, method, query } = OPERATIONS.listLeaves

/** Cache policy of a full page that the service never replaces. */
const FOR_EVER = 'public, max-age=31536000, immutable'
/** Cache policy of the newest pages. The last page grows with every deposit and every settlement. */
const SHORTLY = 'public, max-age=5'

/**
 * True for requests that need no key. The matched route is compared instead of the URL, because URLs can spell one path
 * in several ways.
 */
export const isPublic = ({ method: sent, routeOptions }: FastifyRequest): boolean =>
  routeOptions.url === path && sent === method

/** Serves `GET /leaves` without a key. Each network has a rate limit. */
export function registerLeafPages(
  app: FastifyInstance,
  { useCases, clock }: { readonly useCases: Pick<UseCases, 'readLeaves'>; readonly clock: Clock },
): void {
  const limit = new NetworkLimit(clock, NETWORK_READS)
  app.get(path, async (request, reply) => {
    const { isAllowed, headers, retryAfterSeconds } = limit.take(networkOf(request.ip))
    reply.headers(headers)
    if (!isAllowed) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds })
    const { from = '0' } = validate(query, request.query)
    const { response, isPermanent } = await useCases.readLeaves(parseWhole(from))
    return reply.header('cache-control', isPermanent ? FOR_EVER : SHORTLY).send(response)
  })
}
