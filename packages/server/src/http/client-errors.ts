import { ERRORS } from '@sotto/contract'
import type { Socket } from 'node:net'
import type { Random } from '../ports/random.ts'
import { ServiceError } from '../usecases/service-error.ts'
import { errorBody } from './error-mapper.ts'

/** What Node's parser reports; anything else isn't HTTP at all. */
const OVERFLOW = 'HPE_HEADER_OVERFLOW'

/** An id by which an answer can be found in the log. */
export const drawRequestId = (random: Random): string =>
  `req_${Buffer.from(random.bytes(12)).toString('hex')}`

/**
 * Answers bytes that never became a request, in the shape of every other error. Nothing was
 * authenticated and nothing can follow on the connection.
 */
export function answerClientError(
  random: Random,
  error: { readonly code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = new ServiceError(
    error.code === OVERFLOW ? 'PAYLOAD_TOO_LARGE' : 'INVALID_REQUEST',
  )
  const requestId = drawRequestId(random)
  const body = JSON.stringify(errorBody(refusal, requestId))
  const { status } = ERRORS[refusal.code]
  const head = [
    `HTTP/1.1 ${status} ${status === 413 ? 'Payload Too Large' : 'Bad Request'}`,
    'content-type: application/json; charset=utf-8',
    'cache-control: no-store',
    `x-request-id: ${requestId}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
