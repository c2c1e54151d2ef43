import { ErrorBody, openApiDocument } from '@sotto/contract'
import type { FastifyInstance } from 'fastify'
import { connect, type AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { pinoLog } from '../../src/adapters/log/pino-log.ts'
import { serveMetrics } from '../../src/adapters/metrics/serve-metrics.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createServer } from '../../src/http/create-server.ts'

const EXPIRES_MS = Date.UTC(2099, 0, 1)

/** A server with few use cases. Other requests may fail, because the tests of all routes check only headers. */
const serverWith = (expiresMs?: number): FastifyInstance =>
  createServer({
    useCases: {
      authenticate: async () => ({ keyId: 'k', account: {}, scopes: ['read', 'write'] }),
      listTokens: async () => ({ success: true, tokens: [], asOf: new Date(0).toISOString() }),
      whyUnready: async () => undefined,
    } as never,
    clock: systemClock,
    random: systemRandom,
    log: pinoLog('info', { write: () => undefined }),
    rateLimit: { perSecond: 1_000, burst: 1_000 },
    sendPage: {
      apiKey: 'sotto_test_k_s',
      files: new Map([
        [
          'index.html',
          { type: 'text/html; charset=utf-8', bytes: Buffer.from('page'), tag: '"1"' },
        ],
      ]),
      cluster: 'localnet',
      programId: 'p',
      rpcUrl: undefined,
      askNode: () => Promise.reject(new Error('no node')),
    },
    securityText:
      expiresMs === undefined
        ? undefined
        : { contacts: ['mailto:security@example.com'], expiresMs },
  })

const app = serverWith(EXPIRES_MS)
let baseUrl = ''
beforeAll(async () => {
  baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

/** Lists every route that the framework has registered, as `GET /path`. */
function routes(): string[] {
  const lines = app.printRoutes({ commonPrefix: false }).split('\n')
  return lines.flatMap((line) => {
    const found = /[├└]── (\/\S*|\*) \(([A-Z, ]+)\)/.exec(line)
    if (found === null) return []
    const [, path = '', methods = ''] = found
    return methods.split(', ').map((method) => `${method} ${path}`)
  })
}

function assertGuarded(headers: Headers, what: string): void {
  expect(headers.get('x-content-type-options'), what).toBe('nosniff')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy, what).toMatch(/^default-src 'none';/)
  expect(policy, what).toContain("frame-ancestors 'none'")
  expect(policy, what).not.toMatch(/unsafe|\*|data:(?! *;)[^;]*script/)
  const type = headers.get('content-type') ?? ''
  if (!type.startsWith('text/html')) return
  expect(policy, what).toContain("script-src 'self'")
  expect(headers.get('referrer-policy'), what).toBe('no-referrer')
  expect(headers.get('x-frame-options'), what).toBe('DENY')
}

describe('headers forbid browsers to guess the media type or to run active content', () => {
  it('in the answer of every route', async () => {
    const statuses = new Set<number>()
    const all = routes()
    expect(all.length).toBeGreaterThan(30)
    for (const route of all) {
      const [method = '', path = ''] = route.split(' ')
      const url = baseUrl + path.replaceAll(/:[A-Za-z_]+/g, 'x')
      const { status, headers, body } = await fetch(url, {
        method,
        headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{}' } : {}),
      })
      await body?.cancel()
      statuses.add(status)
      assertGuarded(headers, `${route} ${status}`)
    }
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404, 500]))
  })

  it.each([
    ['GET', '/nowhere', 404],
    ['GET', '/docs/errors/NO_SUCH_CODE', 404],
    ['POST', '/docs', 405],
    ['GET', '/docs/%zz', 404],
    ['PUT', '/transfer/v1/quote', 405],
  ])('in the answer of an error: %s %s', async (method, path, status) => {
    const answer = await fetch(baseUrl + path, { method })
    assertGuarded(answer.headers, path)
    expect([400, status]).toContain(answer.status)
  })

  it('in the answer to bytes that are not a request', async () => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () =>
      socket.write('?\r\n\r\n'),
    )
    const parts: Buffer[] = []
    for await (const part of socket) parts.push(part as Buffer)
    const [head = ''] = Buffer.concat(parts).toString().split('\r\n\r\n')
    const lines = head.split('\r\n').slice(1)
    assertGuarded(new Headers(lines.map((line) => line.split(': ') as [string, string])), head)
  })
})

it('the port of metrics sends the same headers', async () => {
  const registry = new Registry()
  const nothing = {
    isReady: () => true,
    settlement: () => undefined,
    alerts: () => new Map<string, number>(),
    readRunways: () => [],
  }
  const metrics = await serveMetrics({ registry, operatorToken: 't', ...nothing }, '127.0.0.1', 0)
  const { port } = metrics.address() as AddressInfo
  const authorization = 'Bearer t'
  const statuses: number[] = []
  for (const [path, headers] of [
    ['/livez', {}],
    ['/readyz', {}],
    ['/metrics', {}],
    ['/operator', {}],
    ['/operator', { authorization }],
    ['/nowhere', {}],
    ['//', {}],
  ] as const) {
    const { status, headers: answered } = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers,
    })
    assertGuarded(answered, path)
    statuses.push(status)
  }
  expect(statuses).toEqual([200, 200, 200, 401, 200, 404, 404])
  await new Promise((resolve) => metrics.close(resolve))
})

describe('security.txt', () => {
  it('has the content that RFC 9116 requires', async () => {
    const answer = await fetch(`${baseUrl}/.well-known/security.txt`)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toBe(
      'Contact: mailto:security@example.com\r\nExpires: 2099-01-01T00:00:00.000Z\r\nPreferred-Languages: en\r\n',
    )
  })

  it.each([undefined, Date.UTC(2020, 0, 1)])(
    'is not served with the expiry %s',
    async (expiresMs) => {
      const other = serverWith(expiresMs)
      const answer = await other.inject({ url: '/.well-known/security.txt' })
      expect(answer.statusCode).toBe(404)
      await other.close()
    },
  )
})

it('the OpenAPI document is sent again only if it has changed', async () => {
  const url = `${baseUrl}/openapi.json`
  const first = await fetch(url)
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await first.json()).toEqual(openApiDocument())
  const known = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } }
  expect((await fetch(url, known)).status).toBe(304)
})

describe('HEAD', () => {
  it.each([
    ...['/livez', '/readyz', '/docs', '/docs/errors', '/docs/errors/QUOTE_EXPIRED'],
    ...['/openapi.json', '/send', '/.well-known/security.txt'],
  ])('of %s has the headers of GET and no body', async (path) => {
    const [got, head] = [
      await fetch(baseUrl + path),
      await fetch(baseUrl + path, { method: 'HEAD' }),
    ]
    const length = (await got.arrayBuffer()).byteLength
    expect([head.status, head.headers.get('content-length')]).toEqual([got.status, `${length}`])
    expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'))
    expect(await head.text()).toBe('')
  })

  it('of an unknown error page is 404', async () => {
    const answer = await fetch(`${baseUrl}/docs/errors/NONE`, { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([404, ''])
  })
})

it('a refused call of the send page names the origin as its cause', async () => {
  const headers = { origin: 'https://elsewhere.example' }
  const answer = await fetch(`${baseUrl}/send/api/tokens`, { headers })
  const { code, issues } = ErrorBody.parse(await answer.json())
  expect([answer.status, code]).toEqual([403, 'FORBIDDEN'])
  expect(issues).toEqual([
    { param: 'Origin', message: 'only pages of this origin may call this address' },
  ])
})
