import { deprecationHeaders, OPERATIONS, type Deprecations } from '@sotto/contract'
import type { FastifyInstance } from 'fastify'

/**
 * Marks every response of a deprecated operation, including errors and refused keys, so that a reader of a
 * client's logs finds it however far that client got.
 *
 * @throws RangeError if a deprecation's notice is too short, so that no such server starts.
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
