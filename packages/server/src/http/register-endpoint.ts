import type { Operation } from '@sotto/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { assertScope, type Caller } from '../usecases/access/authenticate.ts'
import { ServiceError, invalid } from '../usecases/service-error.ts'
import { asError } from './as-error.ts'
import { assertMediaType } from './assert-media-type.ts'
import { writtenAnswer, type Call, type Endpoint } from './endpoint.ts'
import type { ResponseBatcher } from './response-batcher.ts'
import { sentHeaders } from './sent-headers.ts'
import type { UseCases } from './use-cases.ts'
import { validate } from './validate.ts'

/**
 * The schema of an operation without parameters. Its error names an unknown parameter, as the errors of other
 * operations do.
 */
const NO_QUERY = z.strictObject({})

function assertNoQuery(query: unknown): void {
  // Nearly every request has no parameter and needs no schema.
  for (const _name in query as object) {
    validate(NO_QUERY, query)
    return
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Returns a header's only value. `name` must have the documented upper and lower case, because an error shows it
 * unchanged.
 * @throws ServiceError INVALID_REQUEST if the header was sent twice.
 */
function headerOf(request: FastifyRequest, name: string): string | undefined {
  const values = sentHeaders(request.raw, name.toLowerCase())
  if (values.length > 1) throw invalid(name, 'the header appears twice')
  return values[0]
}

/**
 * The call that an endpoint receives. It is a class so that all requests share its method. With an object literal, each
 * request would create its own function.
 */
class ReceivedCall implements Call<Operation> {
  readonly caller: Caller
  readonly query: undefined
  readonly body: undefined
  readonly #request: FastifyRequest

  constructor(caller: Caller, { query, body, elsewhere }: Operation, request: FastifyRequest) {
    this.caller = caller
    this.#request = request
    if (query === undefined) assertNoQuery(request.query)
    // The endpoint's declaration guarantees this type.
    this.query = (query && validate(query, request.query)) as undefined
    this.body = (body && validate(body, request.body, elsewhere)) as undefined
  }

  get params(): Readonly<Record<string, string>> {
    return this.#request.params as Record<string, string>
  }

  get received(): unknown {
    return this.#request.body
  }

  header(name: string): string | undefined {
    return headerOf(this.#request, name)
  }
}

/** Validates the request and calls the endpoint. @throws ServiceError synchronously if the request is refused. */
function handleRequest(
  { operation, handle }: Endpoint,
  useCases: UseCases,
  request: FastifyRequest,
) {
  const { caller } = request
  if (caller === undefined) throw new ServiceError('UNAUTHORIZED')
  return handle(new ReceivedCall(caller, operation, request), useCases)
}

/** Sends a response. A response that can't be sent is a fault of the service, and becomes an internal error. */
function sendSafely(reply: FastifyReply, answer: string | Buffer | Error): void {
  try {
    reply.send(answer)
  } catch (error) {
    if (!reply.sent) reply.send(asError(error))
  }
}

/** Serves an endpoint: checks the scope, validates the request, calls the handler, and sends the result. */
export function registerEndpoint(
  app: FastifyInstance,
  of: Endpoint,
  useCases: UseCases,
  batcher: ResponseBatcher,
): void {
  const { operation } = of
  app.route({
    method: operation.method,
    url: operation.path,
    onRequest: (request, _reply, done) => {
      // The scope is checked before the body is read, so that a key without the scope sees only 403.
      if (request.caller !== undefined) assertScope(request.caller, operation.scope)
      if (operation.body !== undefined) assertMediaType(request)
      done()
    },
    // The handler isn't an async function, because the framework would wrap its promise in other promises.
    handler: (request: FastifyRequest, reply: FastifyReply) => {
      const failed = (error: unknown) => sendSafely(reply, asError(error))
      const answered = (made: unknown) => {
        try {
          const { payload, headers } = writtenAnswer(made)
          reply.header('content-type', JSON_TYPE)
          if (headers !== undefined) reply.headers(headers)
          batcher.add(() => sendSafely(reply, payload))
        } catch (error) {
          failed(error)
        }
      }
      try {
        handleRequest(of, useCases, request).then(answered, failed)
      } catch (error) {
        failed(error)
      }
    },
  })
}
