import { ERRORS } from '@sotto/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceLog } from '../ports/service-log.ts'
import { ServiceError } from '../usecases/service-error.ts'
import { errorBody, errorHeaders, serviceErrorOf } from './error-mapper.ts'
import { notFound } from './request-fault.ts'

/** Makes the service send all errors in one form. */
export function registerErrors(app: FastifyInstance, log: ServiceLog): void {
  app.setErrorHandler((error, request, reply) => sendError(log, error, request, reply))
  app.setNotFoundHandler((request, reply) => sendError(log, notFound(request), request, reply))
}

function sendError(
  log: ServiceLog,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // The client disconnected while it was sending its body, so it won't read a response.
  const hasLeft = thrown !== null && thrown === request.raw.errored
  if (hasLeft) log.event('client_left', { requestId: request.id })
  const error = hasLeft ? new ServiceError('INVALID_REQUEST') : serviceErrorOf(thrown)
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
