import type { OrderStatusRecord } from '@sotto/contract'
import type { Host } from '../host/host.ts'
import { readAnswer, type Fetch, type PreparedRequest } from './attempt.ts'
import { SottoTransportError } from './errors.ts'
import { waitBeforeRetry } from './retry.ts'

/** A status that an order has reached, as an event of the stream. */
export interface StatusEvent {
  /** Pass this id as `lastEventId` to continue after the event. Another process may do so too. */
  readonly id: string
  /** The order's record, as `status` would return it. */
  readonly order: OrderStatusRecord
}

export interface StreamDependencies {
  readonly fetch: Fetch
  readonly request: PreparedRequest
  readonly host: Host
  /** Number of consecutive connections without any data after which the stream gives up. */
  readonly attempts: number
}

export interface EventsOptions {
  readonly signal?: AbortSignal
  /** The id of the last event that the caller has processed. Without it, the stream begins with the current status. */
  readonly lastEventId?: string
}

/**
 * The service sends data at least every 15 s, so the client treats a connection as dead after this many milliseconds
 * without data.
 */
const SILENCE_MS = 45_000

/**
 * Yields the statuses of an order up to and including a final status. Reconnects after a lost connection, until
 * `attempts` connections in a row have brought no data.
 */
export async function* statusEvents(
  d: StreamDependencies,
  { signal, lastEventId }: EventsOptions,
): AsyncGenerator<StatusEvent, void, undefined> {
  let last = lastEventId
  let failures = 0
  for (;;) {
    signal?.throwIfAborted()
    try {
      const alive = () => {
        failures = 0
      }
      for await (const event of connectOnce(d, last, alive, signal)) {
        last = event.id
        yield event
        if (event.order.final) return
      }
      throw new SottoTransportError('the stream ended')
    } catch (error) {
      signal?.throwIfAborted()
      const waitMs = waitBeforeRetry(error, failures, d.host)
      failures += 1
      if (waitMs === undefined || failures >= d.attempts) throw error
      await d.host.sleep(waitMs, signal)
    }
  }
}

async function* connectOnce(
  { fetch, request, host }: StreamDependencies,
  lastEventId: string | undefined,
  alive: () => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<StatusEvent, void, undefined> {
  const stop = new AbortController()
  const end = () => stop.abort()
  signal?.addEventListener('abort', end, { once: true })
  try {
    const answer = await unlessSilent(host, open(fetch, request, lastEventId, stop.signal))
    const reader = answer.getReader()
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const { done, value } = await unlessSilent(host, reader.read())
      if (done) return
      alive()
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      yield* blocks.flatMap((block) => readBlock(block) ?? [])
    }
  } catch (error) {
    throw asTransportError(error)
  } finally {
    signal?.removeEventListener('abort', end)
    stop.abort()
  }
}

async function open(
  fetch: Fetch,
  request: PreparedRequest,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const seen = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const headers = { ...request.headers, accept: 'text/event-stream', ...seen }
  const response = await fetch(request.url, { headers, signal, redirect: 'error' })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (response.ok && isStream && response.body !== null) return response.body
  readAnswer(request, response, await response.text())
  throw new SottoTransportError('the response is not an event stream', { status: response.status })
}

/**
 * The id and the record of an event; undefined for comments, and for events of a type that this version doesn't know.
 */
function readBlock(block: string): StatusEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')] as const
    }),
  )
  const [id, data] = [fields.get('id'), fields.get('data')]
  if (fields.get('event') !== 'status' || id === undefined || data === undefined) return undefined
  return { id, order: JSON.parse(data) as OrderStatusRecord }
}

async function unlessSilent<T>(host: Host, work: Promise<T>): Promise<T> {
  const heard = new AbortController()
  const silence = host.sleep(SILENCE_MS, heard.signal).then(
    () => 'silence' as const,
    // This timer is cancelled when data arrives. Then nothing uses its value `silence`.
    () => 'silence' as const,
  )
  try {
    const first = await Promise.race([work.then((value) => ({ value })), silence])
    if (first === 'silence') throw new SottoTransportError('the stream sent nothing for too long')
    return first.value
  } finally {
    heard.abort()
    // The promise rejects when its connection is closed. By then nothing uses its result.
    work.catch(() => undefined)
  }
}

function asTransportError(error: unknown): Error {
  if (error instanceof Error && error.name.startsWith('Sotto')) return error
  return new SottoTransportError('the connection of the stream was lost', { cause: error })
}
