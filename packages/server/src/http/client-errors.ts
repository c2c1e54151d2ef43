import { ERRORS } from '@sotto/contract'
import type { Socket } from 'node:net'
import type { Random } from '../ports/random.ts'
import { ServiceError } from '../usecases/service-error.ts'
import { ANSWER_HEADERS } from './answer-headers.ts'
import { errorBody } from './error-mapper.ts'

/** The only error code of Node's HTTP parser that becomes PAYLOAD_TOO_LARGE. All other codes become INVALID_REQUEST. */
const OVERFLOW = 'HPE_HEADER_OVERFLOW'

const ID_BYTES = 12
/**
 * Number of ids whose random bytes are drawn in one system call. Drawing twelve bytes takes about as long as drawing
 * thousands.
 */
const DRAWN_IDS = 256
let drawn: { readonly random: Random; readonly hex: string; used: number } | undefined

/** Creates the random id with which a response can be found in the log. The id isn't secret. */
export function drawRequestId(random: Random): string {
  if (drawn === undefined || drawn.used === DRAWN_IDS || drawn.random !== random) {
    const hex = Buffer.from(random.bytes(ID_BYTES * DRAWN_IDS)).toString('hex')
    drawn = { random, hex, used: 0 }
  }
  const start = 2 * ID_BYTES * drawn.used
  drawn.used += 1
  return `req_${drawn.hex.slice(start, start + 2 * ID_BYTES)}`
}

/**
 * Responds to bytes that aren't a valid request. The response has the form of every other error. The caller isn't
 * authenticated at that point, and no other request can follow on the connection.
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
    ...Object.entries(ANSWER_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${requestId}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
