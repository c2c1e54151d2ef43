import { OrderStatus } from '@sotto/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChangeHub } from '../../src/adapters/changes/change-hub.ts'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createServer } from '../../src/http/create-server.ts'
import { createSottoClient } from '../../../sdk/server.ts'
import { startHttpStack, type HttpStack } from '../http/http-stack.ts'
import { orderPayment, ownBalance } from '../http/balance-client.ts'
import { codeOf, placed, send, solSend } from '../http/partner-client.ts'
import { PLENTY, startApi, type StartedApi } from '../http/start-api.ts'

let stack: HttpStack
let api: StartedApi
const hub = new ChangeHub()
beforeAll(async () => {
  stack = await startHttpStack()
  api = await startApi({ ...stack, changes: hub }, stack.settings)
})
afterAll(async () => {
  await api.stop()
  await stack.close()
})

const urlOf = (trackingId: string) => `/transfer/v1/status/${trackingId}/events`
const newOrder = async () => (await placed(stack, solSend(stack))).order.trackingId

async function open(
  trackingId: string,
  headers: Record<string, string> = {},
  apiKey = stack.apiKey,
) {
  const stopping = new AbortController()
  const response = await fetch(api.baseUrl + urlOf(trackingId), {
    headers: { authorization: `Bearer ${apiKey}`, ...headers },
    signal: stopping.signal,
  })
  return { response, stop: () => stopping.abort() }
}

/** Ends an order, as a worker does after the order's deadline. */
async function expire(trackingId: string): Promise<void> {
  const id = Buffer.from(trackingId.slice(3), 'base64url')
  const now = new Date()
  await stack.database.query(
    `UPDATE orders SET status = 'expired', final_hour = $2, updated_at = $2 WHERE id = $1`,
    [id, now],
  )
  hub.notifyAll()
}

it('streams the record of GET status until a final status', async () => {
  const trackingId = await newOrder()
  const { response } = await open(trackingId)
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ])
  expect(response.headers.get('x-request-id')).toMatch(/^req_/)
  await expire(trackingId)
  const text = await response.text()
  const events = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'))
  const read = events.map((block) => /^id: (\d)\nevent: status\ndata: (.*)$/.exec(block)!)
  expect(read.map(([, id]) => id).at(-1)).toBe('2')
  for (const [, , data] of read) OrderStatus.parse(JSON.parse(data!))
  const shown = await send(stack, 'GET', `/transfer/v1/status/${trackingId}`)
  expect(JSON.parse(read.at(-1)![2]!)).toEqual(shown.body['order'])
})

it("the SDK's iterable follows the order to its end", async () => {
  const trackingId = await newOrder()
  const client = createSottoClient({ baseUrl: api.baseUrl, apiKey: stack.apiKey })
  const seen: string[] = []
  for await (const { order } of client.events(trackingId)) {
    seen.push(order.status)
    if (seen.length === 1) await expire(trackingId)
  }
  expect(seen).toEqual(['awaiting_deposit', 'expired'])
  // The stream resumes after the first event, so only newer events arrive.
  const later: string[] = []
  for await (const { id } of client.events(trackingId, { lastEventId: '1' })) later.push(id)
  expect(later).toEqual(['2'])
})

it('a refused request gets the usual error body', async () => {
  const trackingId = await newOrder()
  await stack.operate('account', 'add', '--id', 'other', '--name', 'Other')
  const made = await stack.operate<{ apiKey: string }>('key', 'add', '--account', 'other')
  const words = ['key', 'add', '--account', 'acme', '--scopes', 'write']
  const writer = await stack.operate<{ apiKey: string }>(...words)
  const ask = (id: string, sent: Parameters<typeof send>[3] = {}) =>
    send({ ...stack, baseUrl: api.baseUrl }, 'GET', urlOf(id), sent)
  expect(codeOf(await ask(trackingId, { apiKey: 'none' }))).toBe('UNAUTHORIZED')
  expect(codeOf(await ask(trackingId, { apiKey: made.apiKey }))).toBe('ORDER_NOT_FOUND')
  expect(codeOf(await ask('tr_x'))).toBe('ORDER_NOT_FOUND')
  expect(codeOf(await ask(trackingId, { apiKey: writer.apiKey }))).toBe('FORBIDDEN')
  const wrong = { headers: { 'last-event-id': 'x' } }
  expect(codeOf(await ask(trackingId, wrong))).toBe('INVALID_REQUEST')
})

it('a key may have a limited number of streams at the same time', async () => {
  const words = ['key', 'add', '--account', 'acme', '--scopes', 'read']
  const { apiKey } = await stack.operate<{ apiKey: string }>(...words)
  const trackingId = await newOrder()
  const streams = []
  for (let count = 0; count < 20; count += 1) streams.push(await open(trackingId, {}, apiKey))
  const statuses = streams.map(({ response }) => response.status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  const { response } = await open(trackingId, {}, apiKey)
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5'])
  // Another key of the account has its own limit.
  const other = await open(trackingId)
  expect(other.response.status).toBe(200)
  other.stop()
  for (const { stop } of streams) stop()
  for (let tries = 0; ; tries += 1) {
    const again = await open(trackingId, {}, apiKey)
    again.stop()
    if (again.response.status === 200) break
    if (tries > 200) throw new Error('a stream that ended still counts')
  }
})

/** Opens a stream of an order that never changes. The pauses of the stream's clock end only when the test ends them. */
async function openQuiet() {
  const caller = { account: { id: 'acme' }, keyId: 'key', scopes: ['read'] }
  const watched: AbortSignal[] = []
  const useCases = {
    authenticate: async () => caller,
    watchStatus: async (...[, , , signal]: [unknown, unknown, unknown, AbortSignal]) => {
      watched.push(signal)
      return { next: () => new Promise(() => undefined) }
    },
  }
  const pauses: { readonly ms: number; readonly end: () => void }[] = []
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((end) => {
      pauses.push({ ms, end })
      signal?.addEventListener('abort', () => end())
    })
  const log = { request: () => undefined, failed: () => undefined, event: () => undefined }
  const app = createServer({
    ...{ useCases: useCases as never, log, rateLimit: PLENTY },
    ...{ clock: { ...systemClock, sleep }, random: systemRandom },
  })
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  const leaving = new AbortController()
  const headers = { authorization: 'Bearer x' }
  const response = await fetch(baseUrl + urlOf('tr_x'), { headers, signal: leaving.signal })
  const endPause = async (ms: number) => {
    await expect.poll(() => pauses.some((pause) => pause.ms === ms)).toBe(true)
    const at = pauses.findLastIndex((pause) => pause.ms === ms)
    pauses.splice(at, 1)[0]!.end()
  }
  return { app, response, endPause, watched, leave: () => leaving.abort() }
}

it('sends keep-alives while nothing happens', async () => {
  const { app, response, endPause } = await openQuiet()
  const text = response.text()
  await endPause(15_000)
  await endPause(15_000)
  // The third pause begins only after the stream has written the output of the second pause.
  await endPause(15_000)
  await endPause(300_000)
  expect(await text).toMatch(/^(: still here\n\n){3,4}$/)
  await app.close()
})

it('stops reading the order of a client that has left', async () => {
  const { app, watched, leave } = await openQuiet()
  expect(watched.map(({ aborted }) => aborted)).toEqual([false])
  leave()
  await expect.poll(() => watched[0]!.aborted).toBe(true)
  await app.close()
})

it('the end of the service ends its streams', async () => {
  const { app, response } = await openQuiet()
  const text = response.text()
  // If the stream didn't end, the server would never close.
  await app.close()
  expect(await text).toBe(': still here\n\n')
})

it('a payment whose key is destroyed gets no stream, and its open stream ends without a failure', async () => {
  const { trackingId } = (await orderPayment(stack, await ownBalance(stack))).order
  const { response } = await open(trackingId)
  const text = response.text()
  for (const epoch of await stack.secrets.list()) await stack.secrets.destroy(epoch)
  hub.notifyAll()
  expect(await text).toMatch(/^(: still here\n\n|id: 1\nevent: status\n.*\n\n)+$/)
  const status = await send(stack, 'GET', `/transfer/v1/status/${trackingId}`)
  const stream = await send({ ...stack, baseUrl: api.baseUrl }, 'GET', urlOf(trackingId))
  expect([status.status, codeOf(status)]).toEqual([404, 'ORDER_NOT_FOUND'])
  expect([stream.status, codeOf(stream)]).toEqual([404, 'ORDER_NOT_FOUND'])
  const client = createSottoClient({ baseUrl: api.baseUrl, apiKey: stack.apiKey })
  const events = client.events(trackingId)[Symbol.asyncIterator]()
  await expect(events.next()).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' })
  expect(api.logged()).not.toContain('event_stream')
})
