import { afterEach, expect, it } from 'vitest'
import type { Host } from '../src/host/host.ts'
import { createSottoClient, SottoApiError, type EventsOptions } from '../server.ts'
import { startScriptedService, type Answer, type ScriptedService } from './scripted-service.ts'

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' }
const LONG_MS = 45_000

let service: ScriptedService | undefined
afterEach(async () => {
  await service?.stop()
  service = undefined
})

const frame = (id: number, status: string, final = false) =>
  `id: ${id}\nevent: status\ndata: ${JSON.stringify({ trackingId: 'tr_1', status, final })}\n\n`
const stream = (...frames: string[]): Answer => {
  return { status: 200, body: frames.join(''), headers: STREAM }
}

/** The ids and statuses that a client receives from a service that gives these responses. */
async function follow(answers: readonly Answer[], options: EventsOptions = {}) {
  service = await startScriptedService(answers)
  // Pauses between connections end immediately. The timer that detects silence never ends.
  const host: Host = {
    nowMs: () => 0,
    fraction: () => 0,
    sleep: (ms) => (ms < LONG_MS ? Promise.resolve() : new Promise(() => undefined)),
  }
  const { baseUrl } = service
  const client = createSottoClient({ baseUrl, apiKey: 'sotto_test_key', host })
  const seen: string[] = []
  for await (const { id, order } of client.events('tr_1', options))
    seen.push(`${id} ${order.status}`)
  return { seen, received: service.received }
}

it('yields each status up to a final one, and ignores everything else in the stream', async () => {
  const other = 'event: other\ndata: {}\n\n'
  const { seen, received } = await follow([
    stream(': still here\n\n', frame(2, 'deposited'), other, frame(5, 'delivered', true)),
  ])
  expect(seen).toEqual(['2 deposited', '5 delivered'])
  expect(received[0]).toMatchObject({
    url: '/transfer/v1/status/tr_1/events',
    headers: { authorization: 'Bearer sotto_test_key', accept: 'text/event-stream' },
  })
})

it('continues after the last event if a stream is cut, ends or reports a retryable error', async () => {
  const busy = {
    ...{ success: false, code: 'RATE_LIMITED', message: 'Too many', requestId: 'r' },
    ...{ retry: 'unchanged', docs: '/docs' },
  }
  const { seen, received } = await follow([
    stream(frame(1, 'awaiting_deposit')),
    'cut',
    { status: 429, body: busy, headers: { 'retry-after': '1' } },
    stream(frame(2, 'deposited')),
    stream(frame(5, 'delivered', true)),
  ])
  expect(seen).toEqual(['1 awaiting_deposit', '2 deposited', '5 delivered'])
  const ids = received.map(({ headers }) => headers['last-event-id'])
  expect(ids).toEqual([undefined, '1', '1', '1', '2'])
})

it('begins after an event that another process has seen', async () => {
  const { received } = await follow([stream(frame(5, 'delivered', true))], { lastEventId: '3' })
  expect(received[0]?.headers['last-event-id']).toBe('3')
})

it('fails if there is no such order, or after too many failures', async () => {
  const none = {
    ...{ success: false, code: 'ORDER_NOT_FOUND', message: 'None', requestId: 'r' },
    ...{ retry: 'never', docs: '/docs' },
  }
  await expect(follow([{ status: 404, body: none }])).rejects.toThrow(SottoApiError)
  expect(service?.received).toHaveLength(1)
  await service?.stop()
  await expect(follow(Array.from({ length: 9 }, () => 'cut' as const))).rejects.toThrow('was lost')
  expect(service?.received).toHaveLength(5)
})

it('ends with the abort reason of its caller', async () => {
  const stopping = new AbortController()
  const following = follow(['silence'], { signal: stopping.signal })
  setTimeout(() => stopping.abort(new Error('enough')), 50)
  await expect(following).rejects.toThrow('enough')
})
