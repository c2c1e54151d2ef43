import { deprecationHeaders, OPERATIONS, type Deprecations } from '@sotto/contract'
import type { FastifyInstance } from 'fastify'

/**
 * Adds deprecation headers to every response of a deprecated operation, including errors and refused keys. So a
 * client's log shows the deprecation even if its requests fail.
 *
 * @throws RangeError if a deprecation's notice is too short, so that the server doesn't start.
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
