import type { FastifyRequest } from 'fastify'
import { invalid, ServiceError } from '../usecases/service-error.ts'
import { sentHeaders } from './sent-headers.ts'

/** Creates the error for an unknown path, or for a method that the path doesn't have. */
export function notFound({ url, server }: FastifyRequest): ServiceError {
  const allowed = server.allowedMethods(decodeURI(url.split(/[?#]/)[0] ?? ''))
  return allowed.length === 0
    ? new ServiceError('NOT_FOUND')
    : new ServiceError('METHOD_NOT_ALLOWED', { allow: allowed.join(', ') })
}

/**
 * Finds a fault that is visible without the request's body. If this check were left to the framework, the framework
 * would first read the body and apply rules that differ between methods.
 */
export function requestFault(request: FastifyRequest): ServiceError | undefined {
  const { headers, raw } = request
  const hosts = sentHeaders(raw, 'host').length
  // RFC 9112, 3.2: an HTTP/1.1 request must have exactly one Host header.
  if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0')) {
    return invalid('Host', 'must be sent once')
  }
  const { expect } = headers
  if (expect !== undefined && expect.trim().toLowerCase() !== '100-continue') {
    return invalid('Expect', 'can only be 100-continue')
  }
  return request.is404 ? notFound(request) : undefined
}
