import { deprecationHeaders, OPERATIONS, type Deprecations } from '@sotto/contract'
import type { FastifyInstance } from 'fastify'

/**
 * Has every answer of a deprecated operation say so, errors and refused keys included: whoever reads
 * the logs of a client should meet it wherever that client has got to.
 *
 * @throws RangeError where a deprecation doesn't give its notice, so that no such server starts.
 */
export function registerDeprecations(app: FastifyInstance, deprecations: Deprecations): void {
  const byRoute = new Map<string, Record<string, string>>(
    Object.values(OPERATIONS).flatMap(({ id, method, path }) => {
      const deprecation = deprecations[id]
      return deprecation === undefined
        ? []
        : [[`${method} ${path}`, deprecationHeaders(deprecation)] as const]
    }),
  )
  if (byRoute.size === 0) return
  app.addHook('onRequest', async (request, reply) => {
    const headers = byRoute.get(`${request.method} ${request.routeOptions.url ?? ''}`)
    if (headers !== undefined) reply.headers(headers)
  })
}
