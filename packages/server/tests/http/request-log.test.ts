import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { atEndOfTurn } from '../../src/adapters/clock/end-of-turn.ts'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createServer } from '../../src/http/create-server.ts'
import type { RequestEntry } from '../../src/ports/service-log.ts'
import { ServiceError } from '../../src/usecases/service-error.ts'
import { PLENTY } from './start-api.ts'

const entries: RequestEntry[] = []
let isLogBroken = false
const log = {
  request: (entry: RequestEntry) => {
    entries.push(entry)
    if (isLogBroken) throw new Error('SECRET of the disk')
  },
  failed: () => undefined,
  event: () => undefined,
}
let answerTokens: (() => void) | undefined
const useCases = {
  whyUnready: async () => 'the chain is not followed',
  authenticate: async (header: string | undefined) => {
    if (header !== 'Bearer good') throw new ServiceError('UNAUTHORIZED')
    return { account: { id: 'acme' }, keyId: 'key', scopes: ['read', 'write'] }
  },
  listTokens: () => new Promise((resolve) => (answerTokens = () => resolve({ tokens: [] }))),
  listOrders: async () => ({ orders: [] }),
  readStatus: async () => {
    throw new Error('a fault of the service')
  },
  refreshTransaction: async () => ({ order: {} }),
  quoteTransfer: async () => ({ text: '{}' }),
  signPayment: async () => ({}),
  watchStatus: async () => ({ next: async () => ({ done: true, value: undefined }) }),
}
const app = createServer({
  ...{ useCases: useCases as never, log, rateLimit: PLENTY, failureLimit: PLENTY },
  ...{ clock: systemClock, random: systemRandom, atEndOfTurn },
})
let baseUrl: string
beforeAll(async () => {
  baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
})
beforeEach(() => void (entries.length = 0))
afterAll(() => app.close())

const NODE = '04'.padEnd(64, '1')
const SIGNATURE = { changeNk: NODE, signature: { S: NODE, R8x: NODE, R8y: NODE } }
const GOOD = { authorization: 'Bearer good' }
const V1 = '/transfer/v1'
const STATUS = `${V1}/status/:trackingId`

it.each([
  ['an answer', 'GET', `${V1}/orders`, 200, `${V1}/orders`, undefined],
  ['a change', 'POST', `${V1}/order/x/refresh`, 200, `${V1}/order/:trackingId/refresh`, undefined],
  ['a stream', 'GET', `${V1}/status/x/events`, 200, `${STATUS}/events`, undefined],
  ['a fault of the service', 'GET', `${V1}/status/x`, 500, STATUS, 'INTERNAL'],
  ['a wrong query', 'GET', `${V1}/status/x?y=z`, 400, STATUS, 'INVALID_REQUEST'],
  ['no route', 'GET', `${V1}/"\\nothing`, 404, 'none', 'NOT_FOUND'],
  ['a wrong method', 'DELETE', `${V1}/orders`, 405, 'none', 'METHOD_NOT_ALLOWED'],
  ['HEAD', 'HEAD', `${V1}/orders`, 405, 'none', 'METHOD_NOT_ALLOWED'],
  ['a probe', 'GET', '/livez', 200, '/livez', undefined],
  ['a refused probe', 'GET', '/readyz', 503, '/readyz', undefined],
  ['a page', 'GET', '/docs/errors', 200, '/docs/errors', undefined],
])('%s is logged once', async (_name, method, url, status, route, code) => {
  const answer = await fetch(baseUrl + url, { method, headers: GOOD })
  await answer.arrayBuffer()
  const keyId = url.startsWith(V1) ? 'key' : undefined
  const ms = expect.any(Number) as number
  const requestId = answer.headers.get('x-request-id')
  expect(answer.status).toBe(status)
  expect(entries).toEqual([{ requestId, method, route, status, ms, code, keyId }])
})

/** Sends bodies to a route, and returns the status and the logged key of each request. */
async function loggedKeys(path: string, bodies: readonly object[]) {
  const headers = { ...GOOD, 'content-type': 'application/json' }
  for (const body of bodies) {
    const sent = { method: 'POST', headers, body: JSON.stringify(body) }
    await (await fetch(baseUrl + V1 + path, sent)).arrayBuffer()
  }
  return entries.map(({ status, keyId }) => [status, keyId])
}

it('the log does not show whose payment was signed', async () => {
  expect(await loggedKeys('/payment/x/signature', [SIGNATURE, {}])).toEqual([
    [200, undefined],
    [400, undefined],
  ])
})

it('the log does not show whose payment was quoted', async () => {
  const wallet = '11111111111111111111111111111111'
  const assets = { sourceAssetId: wallet, destinationAssetId: wallet }
  const transfer = { amount: '1', ...assets, senderAddress: wallet, recipientAddress: wallet }
  const payment = { ...transfer, balance: `sotto2_${'A'.repeat(276)}` }
  const bodies = [transfer, payment, { ...payment, amount: 'x' }, { ...transfer, balance: '' }]
  expect(await loggedKeys('/quote', bodies)).toEqual([
    [200, 'key'],
    [200, undefined],
    [400, undefined],
    [400, undefined],
  ])
})

it('a completed request is answered even if the log fails', async () => {
  isLogBroken = true
  const answer = await fetch(`${baseUrl}${V1}/orders`, { headers: GOOD })
  isLogBroken = false
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ orders: [] })
})

it('a refused key is logged once, without an account', async () => {
  await (await fetch(`${baseUrl}${V1}/orders`)).arrayBuffer()
  expect(entries).toMatchObject([{ status: 401, code: 'UNAUTHORIZED', keyId: undefined }])
})

it('a request is logged once if its client leaves before the answer', async () => {
  const asked = request(`${baseUrl}${V1}/tokens`, { headers: GOOD }).on('error', () => undefined)
  asked.end()
  await expect.poll(() => answerTokens !== undefined).toBe(true)
  asked.destroy()
  await expect.poll(() => asked.closed).toBe(true)
  answerTokens?.()
  await expect.poll(() => entries.length).toBe(1)
  await new Promise(setImmediate)
  expect(entries).toMatchObject([{ route: `${V1}/tokens` }])
  expect(entries).toHaveLength(1)
})
