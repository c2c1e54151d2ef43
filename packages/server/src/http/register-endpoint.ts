import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { assertScope } from '../usecases/authenticate.ts'
import { ServiceError, invalid } from '../usecases/service-error.ts'
import { assertMediaType } from './assert-media-type.ts'
import type { Endpoint, ExactAnswer } from './endpoint.ts'
import { sentHeaders } from './sent-headers.ts'
import type { UseCases } from './use-cases.ts'
import { validate } from './validate.ts'

/** An operation without parameters refuses them like all others: by name. */
const NO_QUERY = z.strictObject({})

const JSON_TYPE = 'application/json; charset=utf-8'

/** A header's one value. @throws ServiceError INVALID_REQUEST where it was sent twice. */
function headerOf(request: FastifyRequest, name: string): string | undefined {
  const values = sentHeaders(request.raw, name)
  if (values.length > 1) throw invalid(name, 'the header appears twice')
  return values[0]
}

const isExact = (answer: object): answer is ExactAnswer => 'bytes' in answer

/** Serves an endpoint: scope, validation, its own work, the answer's bytes. */
export function registerEndpoint(app: FastifyInstance, of: Endpoint, useCases: UseCases): void {
  const { operation, handle } = of
  app.route({
    method: operation.method,
    url: operation.path,
    onRequest: (request, _reply, done) => {
      if (operation.body !== undefined) assertMediaType(request)
      done()
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { caller } = request
      if (caller === undefined) throw new ServiceError('UNAUTHORIZED')
      assertScope(caller, operation.scope)
      const { body, query } = operation
      const answer = await handle(
        {
          caller,
          query: validate(query ?? NO_QUERY, request.query),
          body: body === undefined ? undefined : validate(body, request.body),
          params: request.params as Record<string, string>,
          received: request.body,
          header: (name) => headerOf(request, name),
        },
        useCases,
      )
      reply.header('content-type', JSON_TYPE)
      if (!isExact(answer as object)) return reply.send(JSON.stringify(answer))
      const { bytes, headers } = answer as ExactAnswer
      return reply.headers(headers).send(Buffer.from(bytes))
    },
  })
}
