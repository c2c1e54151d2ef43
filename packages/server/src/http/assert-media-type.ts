import type { FastifyRequest } from 'fastify'
import { invalid, ServiceError } from '../usecases/service-error.ts'
import { sentHeaders } from './sent-headers.ts'

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i

/**
 * Refuses bodies in an encoding other than UTF-8, and compressed bodies. Refuses bodies with two content types, because
 * two programs might interpret such a body differently. The framework refuses all other bodies that aren't JSON.
 *
 * @throws ServiceError UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST.
 */
export function assertMediaType({ headers, raw }: FastifyRequest): void {
  const { 'content-type': type, 'content-encoding': encoding } = headers
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE')
  }
  if (type === undefined) return
  const [, charset] = CHARSET.exec(type) ?? []
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE')
  }
  if (sentHeaders(raw, 'content-type').length > 1) {
    throw invalid('Content-Type', 'the header appears twice')
  }
}
