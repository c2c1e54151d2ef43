import type { FastifyRequest } from 'fastify'
import { invalid, ServiceError } from '../usecases/service-error.ts'
import { sentHeaders } from './sent-headers.ts'

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i

/**
 * Refuses bodies in an encoding other than UTF-8. Refuses compressed bodies: those with a Content-Encoding, or with a
 * Transfer-Encoding other than `chunked`. Node would accept such a Transfer-Encoding and ignore it. Refuses bodies with
 * two content types, because two programs might interpret such a body differently. The framework refuses all other
 * bodies that aren't JSON.
 *
 * @throws ServiceError UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST.
 */
export function assertMediaType({ headers, raw }: FastifyRequest): void {
  const { 'content-type': type, 'content-encoding': encoding } = headers
  const { 'transfer-encoding': transfer } = headers
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE')
  }
  if (transfer !== undefined && transfer.trim().toLowerCase() !== 'chunked') {
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
