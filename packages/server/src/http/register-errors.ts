import { ERRORS } from '@sotto/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceLog } from '../ports/service-log.ts'
import { ServiceError } from '../usecases/service-error.ts'
import { allowedMethods } from './allowed-methods.ts'
import { errorBody, errorHeaders, serviceErrorOf } from './error-mapper.ts'

/** Every error leaves through here, in one shape. */
export function registerErrors(app: FastifyInstance, log: ServiceLog): void {
  app.setErrorHandler((error, request, reply) => sendError(log, error, request, reply))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const allowed = allowedMethods(path)
    const error =
      allowed.length === 0
        ? new ServiceError('NOT_FOUND')
        : new ServiceError('METHOD_NOT_ALLOWED', { allow: allowed.join(', ') })
    return sendError(log, error, request, reply)
  })
}

function sendError(
  log: ServiceLog,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = serviceErrorOf(thrown)
  request.errorCode = error.code
  if (error.code === 'INTERNAL' || error.code === 'UPSTREAM_UNAVAILABLE') {
    log.failed('request', error.cause ?? error, request.id)
  }
  return reply
    .code(ERRORS[error.code].status)
    .headers(errorHeaders(error))
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(error, request.id)))
}
