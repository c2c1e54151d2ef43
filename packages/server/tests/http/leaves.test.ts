import { ErrorBody, LEAVES_PER_PAGE, LeavesResponse } from '@sotto/contract'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { pinoLog } from '../../src/adapters/log/pino-log.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createServer } from '../../src/http/create-server.ts'
import { ServiceError } from '../../src/usecases/service-error.ts'
import { readLeaves } from '../../src/usecases/status/read-leaves.ts'
import { HandClock } from '../webhooks/hand-clock.ts'
import { checkAnswers } from './answer-check.ts'

const LEAVES = '/transfer/v1/leaves'
const SIZE = 2 * LEAVES_PER_PAGE + 3
const leafAt = (index: number) => new Uint8Array(32).fill(index % 48)

let size: number
let app: FastifyInstance
let wrongAnswers: readonly string[]
let baseUrl: string
beforeEach(async () => {
  size = SIZE
  const pages = {
    read: async (from: number, count: number) =>
      Array.from({ length: Math.max(0, Math.min(count, size - from)) }, (_, place) =>
        leafAt(from + place),
      ),
  }
  app = createServer({
    useCases: {
      authenticate: () => Promise.reject(new ServiceError('UNAUTHORIZED')),
      readLeaves: (from: number) => readLeaves(pages, from),
    } as never,
    clock: new HandClock(0),
    random: systemRandom,
    log: pinoLog('info', { write: () => undefined }),
    rateLimit: { perSecond: 1, burst: 1 },
    trustedProxies: ['127.0.0.1'],
  })
  wrongAnswers = checkAnswers(app)
  baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  await app.close()
  expect(wrongAnswers).toEqual([])
})

const ask = (query = '', headers: Record<string, string> = {}, method = 'GET') =>
  fetch(baseUrl + LEAVES + query, { method, headers })

it('leaves are listed without a key in pages of 1,024', async () => {
  const found: string[] = []
  const pages = [LEAVES_PER_PAGE, LEAVES_PER_PAGE, 3, 0]
  for (const [place, count] of pages.entries()) {
    const from = place * LEAVES_PER_PAGE
    const answer = await ask(from === 0 ? '' : `?from=${from}`)
    expect(answer.status).toBe(200)
    const page = LeavesResponse.parse(await answer.json())
    expect([page.from, page.leaves.length, page.nextIndex]).toEqual([from, count, from + count])
    found.push(...page.leaves)
  }
  const expected = Array.from({ length: SIZE }, (_, index) =>
    Buffer.from(leafAt(index)).toString('hex'),
  )
  expect(found).toEqual(expected)
})

it('only a full page with 1,024 newer leaves may be cached for long', async () => {
  const cached = async (query: string) => (await ask(query)).headers.get('cache-control')
  for (const query of ['', '?from=0']) {
    expect(await cached(query)).toBe('public, max-age=31536000, immutable')
  }
  for (const from of [LEAVES_PER_PAGE, 2 * LEAVES_PER_PAGE, 999_998_464]) {
    expect(await cached(`?from=${from}`)).toBe('public, max-age=5')
  }
  // The service may still replace the newest 1,024 leaves, which a node may have invented.
  size = 2 * LEAVES_PER_PAGE - 1
  expect(await cached('')).toBe('public, max-age=5')
  size = 2 * LEAVES_PER_PAGE
  expect(await cached('')).toBe('public, max-age=31536000, immutable')
})

it.each([3, LEAVES_PER_PAGE - 1, LEAVES_PER_PAGE + 3, 999_999_999])(
  'a request for a page that starts at %i is refused',
  async (from) => {
    const answer = await ask(`?from=${from}`)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { issues } = ErrorBody.parse(await answer.json())
    const message = 'must be a multiple of 1,024, because each page begins at such a multiple'
    expect(issues).toEqual([{ param: 'from', message }])
  },
)

it('requests for leaves are limited for each network, with any key', async () => {
  const from = (client: string) => ({ 'x-forwarded-for': client, authorization: 'Bearer x' })
  const statuses: number[] = []
  for (let count = 0; count < 61; count += 1) {
    // Both addresses belong to one network.
    const client = count % 2 === 0 ? '2001:db8::1' : '2001:db8::2'
    statuses.push((await ask('?from=2048', from(client))).status)
  }
  expect(new Set(statuses.slice(0, 60))).toEqual(new Set([200]))
  expect(statuses.at(-1)).toBe(429)
  const refused = await ask('', from('2001:db8::1'))
  expect(refused.headers.get('cache-control')).toBe('no-store')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask('', from('2001:db8:0:1::1'))).status).toBe(200)
})

it.each(['?from=-1', '?from=01', '?from=1e3', '?from=1000000000', '?from=', '?start=0'])(
  'leaves are not listed for %s',
  async (query) => expect((await ask(query)).status).toBe(400),
)

it('any other path or method needs a key', async () => {
  expect((await fetch(`${baseUrl}${LEAVES}/`)).status).toBe(401)
  expect((await fetch(`${baseUrl}/transfer/v1/tokens`)).status).toBe(401)
  expect((await ask('', {}, 'POST')).status).toBe(401)
  expect((await fetch(`${baseUrl}/transfer/v1/%6Ceaves`)).status).toBe(200)
})
