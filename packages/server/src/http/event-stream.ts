import { parseWhole } from '@sotto/protocol'
import { EVENT_STREAM } from '@sotto/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { Clock } from '../ports/clock.ts'
import type { ServiceLog } from '../ports/service-log.ts'
import { assertScope } from '../usecases/access/authenticate.ts'
import { invalid, ServiceError } from '../usecases/service-error.ts'
import type { StatusChange } from '../usecases/status/watch-status.ts'
import { sentHeaders } from './sent-headers.ts'
import type { UseCases } from './use-cases.ts'
import { validate } from './validate.ts'

export interface StreamDependencies {
  readonly useCases: Pick<UseCases, 'authenticate' | 'watchStatus'>
  readonly clock: Clock
  readonly log: ServiceLog
}

/**
 * Interval of heartbeats, in milliseconds. It is shorter than the 30 seconds after which some proxies close silent
 * connections.
 */
const HEARTBEAT_MS = 15_000
/**
 * Longest life of a stream, in milliseconds. This limit frees the resources of clients that disappeared without closing
 * the connection.
 */
const STREAM_MS = 300_000
/** Maximum number of open streams per key, on each replica. */
const STREAMS_PER_KEY = 20
const RETRY_SECONDS = 5
const HEARTBEAT = ': still here\n\n'

/** The last sequence number that the client has seen; 0 if the client has seen no event. */
function lastEventId(request: FastifyRequest): number {
  const [sent, ...more] = sentHeaders(request.raw, 'last-event-id')
  if (sent === undefined) return 0
  if (more.length > 0) throw invalid('Last-Event-ID', 'the header appears twice')
  if (!/^[1-5]$/.test(sent)) throw invalid('Last-Event-ID', 'must be the id of an event')
  return parseWhole(sent)
}

const written = ({ sequence, order }: StatusChange): string =>
  `id: ${sequence}\nevent: ${EVENT_STREAM.event}\ndata: ${JSON.stringify(order)}\n\n`

/** Yields the frames of a stream: each status change, with heartbeats in between. */
async function* frames(
  changes: AsyncGenerator<StatusChange, void, undefined>,
  isLetIn: () => Promise<boolean>,
  { clock, log }: StreamDependencies,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  // A heartbeat is sent first, because the headers are sent only with the first bytes of the body. So the client learns
  // immediately that it is connected.
  yield HEARTBEAT
  let next = changes.next()
  try {
    while (!signal.aborted) {
      const pause = new AbortController()
      const stop = () => pause.abort()
      signal.addEventListener('abort', stop)
      const quiet = clock.sleep(HEARTBEAT_MS, pause.signal).then(() => 'quiet' as const)
      const first = await Promise.race([next, quiet])
      signal.removeEventListener('abort', stop)
      pause.abort()
      // If the key has been revoked since the stream began, the stream ends without another event.
      if (signal.aborted || !(await isLetIn())) return
      if (first === 'quiet') {
        yield HEARTBEAT
        continue
      }
      if (first.done === true) return
      yield written(first.value)
      next = changes.next()
    }
  } catch (error) {
    // The headers are already sent, so the stream can only end. The client then reconnects. If the key of a payment was
    // destroyed meanwhile, the client then gets ORDER_NOT_FOUND, and nothing has failed.
    if (!isNotFound(error)) log.failed('event_stream', error)
  } finally {
    next.catch(() => undefined)
  }
}

const isNotFound = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'ORDER_NOT_FOUND'

/** True if the key with which a stream was opened is still valid. */
async function isStillLetIn(
  { useCases }: StreamDependencies,
  header: string | undefined,
): Promise<boolean> {
  try {
    await useCases.authenticate(header)
    return true
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'UNAUTHORIZED') return false
    throw error
  }
}

/**
 * Serves `GET /status/<id>/events`: server-sent events. The request is authenticated and limited like every other
 * request.
 */
export function registerEventStream(app: FastifyInstance, d: StreamDependencies): void {
  const open = new Map<string, number>()
  const all = new Set<AbortController>()
  // A shutdown ends open streams. Otherwise the shutdown would have to wait until the clients end them.
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    all.forEach((stream) => stream.abort())
  })
  app.get(EVENT_STREAM.path, async (request, reply) => {
    const { caller } = request
    if (caller === undefined) throw new ServiceError('UNAUTHORIZED')
    assertScope(caller, EVENT_STREAM.scope)
    validate(z.strictObject({}), request.query)
    const after = lastEventId(request)
    const { keyId, account } = caller
    const count = open.get(keyId) ?? 0
    if (count >= STREAMS_PER_KEY) {
      throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: RETRY_SECONDS })
    }
    const stream = new AbortController()
    all.add(stream)
    open.set(keyId, count + 1)
    stream.signal.addEventListener('abort', () => {
      all.delete(stream)
      const left = (open.get(keyId) ?? 1) - 1
      if (left === 0) open.delete(keyId)
      else open.set(keyId, left)
    })
    // This listener ends the stream as soon as its connection ends. Without the listener, the stream would notice a
    // closed connection only at the next heartbeat. The listener is registered early, because the client may disconnect
    // soon.
    reply.raw.once('close', () => stream.abort())
    // Two kinds of streams must end here. If the client has already disconnected, no `close` event follows. If the hook
    // `preClose` has already run, it can't end this stream.
    if (request.raw.socket.destroyed || isClosing) stream.abort()
    const [header] = sentHeaders(request.raw, 'authorization')
    const isLetIn = () => isStillLetIn(d, header)
    try {
      const { trackingId = '' } = request.params as { trackingId?: string }
      const changes = await d.useCases.watchStatus(account.id, trackingId, after, stream.signal)
      void d.clock.sleep(STREAM_MS, stream.signal).then(() => stream.abort())
      const body = Readable.from(frames(changes, isLetIn, d, stream.signal))
      // Without the header `x-accel-buffering`, nginx buffers a response until it ends.
      return await reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('x-accel-buffering', 'no')
        // If the connection were kept alive after its stream, it would delay the service's shutdown.
        .header('connection', 'close')
        .send(body)
    } catch (error) {
      stream.abort()
      throw error
    }
  })
}
