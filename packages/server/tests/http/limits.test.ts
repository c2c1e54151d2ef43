import { ErrorBody } from '@sotto/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { drawApiKey, formatApiKey, parseApiKey } from '../../src/usecases/access/api-key.ts'
import { answerTo } from './answer-to.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, send } from './partner-client.ts'
import { startApi } from './start-api.ts'

/** A rate so low that buckets are refilled only when the test moves its clock. */
const SLOWLY = 0.001
const BURST = 5
const FULL_MS = (BURST / SLOWLY) * 1_000
const TOKENS = '/transfer/v1/tokens'
/** The number of new keys that an address with too many failures may try at once. */
const NEW_KEYS = 60

let stack: HttpStack
beforeAll(async () => {
  const limit = { perSecond: SLOWLY, burst: BURST }
  const limits = { rateLimit: limit, failureLimit: limit, arrivalMs: 250 }
  stack = await startHttpStack(undefined, limits)
})
afterEach(() => stack.advanceMs(FULL_MS * 20))
afterAll(() => stack.close())

const tokens = (apiKey = stack.apiKey) => send(stack, 'GET', TOKENS, { apiKey })

/** Makes as many failed authentications as one address is allowed. */
async function failUp(): Promise<void> {
  for (let count = 0; count < BURST; count += 1) {
    expect(codeOf(await tokens('wrong'))).toBe('UNAUTHORIZED')
  }
}

describe('the rate of a key', () => {
  it('is stated in every answer', async () => {
    for (let left = BURST - 1; left >= 0; left -= 1) {
      const { status, headers } = await tokens()
      expect(status).toBe(200)
      expect(headers.get('ratelimit-policy')).toBe(`"key";q=5;w=5000`)
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"key";r=${left};t=\\d+$`))
    }
    const refused = await tokens()
    expect([refused.status, codeOf(refused)]).toEqual([429, 'RATE_LIMITED'])
    const seconds = Number(refused.headers.get('retry-after'))
    expect(refused.headers.get('ratelimit')).toMatch(/^"key";r=0;/)
    stack.advanceMs(seconds * 1_000)
    expect((await tokens()).status).toBe(200)
  })

  it('is separate for each key of the account', async () => {
    const words = ['key', 'add', '--account', 'acme']
    const { apiKey } = await stack.operate<{ apiKey: string }>(...words)
    for (let count = 0; count <= BURST; count += 1) await tokens()
    expect((await tokens()).status).toBe(429)
    expect((await tokens(apiKey)).status).toBe(200)
  })
})

describe('failed authentication', () => {
  it('is RATE_LIMITED after too many failures of its address', async () => {
    await failUp()
    const refused = await tokens('wrong')
    expect([refused.status, codeOf(refused)]).toEqual([429, 'RATE_LIMITED'])
    expect(refused.headers.get('ratelimit')).toMatch(/^"address";r=0;/)
    stack.advanceMs(Number(refused.headers.get('retry-after')) * 1_000)
    expect(codeOf(await tokens('wrong'))).toBe('UNAUTHORIZED')
  })

  it('does not exclude a partner at the same address whose key worked before', async () => {
    expect((await tokens()).status).toBe(200)
    await failUp()
    expect((await tokens('wrong')).status).toBe(429)
    expect((await tokens()).status).toBe(200)
  })

  it('does not exclude a partner at the same address whose key is new', async () => {
    const made = await stack.operate<{ apiKey: string }>('key', 'add', '--account', 'acme')
    await failUp()
    expect((await tokens('wrong')).status).toBe(429)
    expect((await tokens(made.apiKey)).status).toBe(200)
  })

  it('is also counted for wrong secrets of a known key', async () => {
    expect((await tokens()).status).toBe(200)
    const known = parseApiKey(stack.apiKey)!
    const statuses: number[] = []
    for (let count = 0; count < 40; count += 1) {
      const secret = `${count}`.padStart(known.secret.length, 'x')
      statuses.push((await tokens(formatApiKey({ ...known, secret }))).status)
    }
    // The limit is the number of failures that an address is allowed, plus the number that a key id is allowed.
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(2 * BURST)
    expect(statuses.at(-1)).toBe(429)
    expect((await tokens()).status).toBe(200)
  })

  it('causes a limited number of database reads even with new well-formed keys', async () => {
    const limit = { perSecond: SLOWLY, burst: BURST }
    const api = await startApi(stack, stack.settings, { rateLimit: limit, failureLimit: limit })
    // The clock is stopped, so no bucket is refilled during the test.
    api.freezeAt(Date.now())
    const tokensOf = (apiKey: string) =>
      send({ ...stack, baseUrl: api.baseUrl }, 'GET', TOKENS, { apiKey })
    const statuses: number[] = []
    for (let count = 0; count < 100; count += 1) {
      statuses.push((await tokensOf(formatApiKey(drawApiKey('test', systemRandom)))).status)
    }
    await api.stop()
    const read = statuses.filter((status) => status === 401).length
    expect([statuses[0], statuses.at(-1), new Set(statuses).size]).toEqual([401, 429, 2])
    expect(read).toBeLessThanOrEqual(BURST + NEW_KEYS)
  })

  it('counts all addresses of an IPv6 network as one', async () => {
    const limit = { perSecond: SLOWLY, burst: BURST }
    const options = { rateLimit: limit, failureLimit: limit, trustedProxies: ['127.0.0.0/8'] }
    const behind = await startApi(stack, stack.settings, options)
    const ask = async (address: string) => {
      const sent = { apiKey: 'wrong', headers: { 'x-forwarded-for': address } }
      return (await send({ ...stack, baseUrl: behind.baseUrl }, 'GET', TOKENS, sent)).status
    }
    for (let host = 1; host <= BURST; host += 1) {
      expect(await ask(`2001:db8:0:1::${host}`)).toBe(401)
    }
    expect(await ask('2001:db8:0:1:ffff::1')).toBe(429)
    expect(await ask('2001:db8:0:2::1')).toBe(401)
    await behind.stop()
  })

  it('counts the many IPv6 networks of one customer together', async () => {
    const limit = { perSecond: SLOWLY, burst: BURST }
    const options = { rateLimit: limit, failureLimit: limit, trustedProxies: ['127.0.0.0/8'] }
    const behind = await startApi(stack, stack.settings, options)
    behind.freezeAt(Date.now())
    const ask = async (address: string) => {
      const apiKey = formatApiKey(drawApiKey('test', systemRandom))
      const sent = { apiKey, headers: { 'x-forwarded-for': address } }
      return (await send({ ...stack, baseUrl: behind.baseUrl }, 'GET', TOKENS, sent)).status
    }
    const statuses: number[] = []
    for (let network = 1; network <= 400; network += 1) {
      statuses.push(await ask(`2001:db8:7:${network.toString(16)}::1`))
    }
    // Four times the failures and the new keys of one network.
    expect(statuses.filter((status) => status === 401)).toHaveLength(4 * (BURST + NEW_KEYS))
    expect(statuses.at(-1)).toBe(429)
    expect(await ask('2001:db8:8:1::1')).toBe(401)
    await behind.stop()
  })

  it('counts all connections of an address as one if the proxy reports their ports', async () => {
    const limit = { perSecond: SLOWLY, burst: BURST }
    const options = { rateLimit: limit, failureLimit: limit, trustedProxies: ['127.0.0.0/8'] }
    const behind = await startApi(stack, stack.settings, options)
    const ask = async (address: string) => {
      const sent = { apiKey: 'wrong', headers: { 'x-forwarded-for': address } }
      return (await send({ ...stack, baseUrl: behind.baseUrl }, 'GET', TOKENS, sent)).status
    }
    for (let port = 1; port <= BURST; port += 1) expect(await ask(`192.0.2.1:${port}`)).toBe(401)
    expect(await ask('192.0.2.1:50000')).toBe(429)
    expect(await ask('192.0.2.2:50000')).toBe(401)
    await behind.stop()
  })

  it.each([
    ['its proxy is trusted', ['127.0.0.0/8'], 401],
    ['only another proxy is trusted', ['10.0.0.1'], 429],
    ['no proxy is trusted', [], 429],
  ] as const)(
    'counts for the client only if a trusted proxy forwards the request: %s',
    async (_name, trustedProxies, expected) => {
      const limit = { perSecond: SLOWLY, burst: BURST }
      const options = { rateLimit: limit, failureLimit: limit, trustedProxies }
      const behind = await startApi(stack, stack.settings, options)
      const ask = (address: string) => {
        const headers = { 'x-forwarded-for': address }
        const sent = { apiKey: 'wrong', headers }
        return send({ ...stack, baseUrl: behind.baseUrl }, 'GET', TOKENS, sent)
      }
      for (let count = 0; count < BURST; count += 1) await ask('192.0.2.1')
      expect((await ask('192.0.2.1')).status).toBe(429)
      expect((await ask('192.0.2.2')).status).toBe(expected)
      // The header contains first the address that the client claims, and then the address that the proxy adds.
      expect((await ask('192.0.2.3, 192.0.2.1')).status).toBe(429)
      await behind.stop()
    },
  )

  it('follows the revocation of a key within a second', async () => {
    type Made = { apiKey: string; keyId: string }
    const { apiKey, keyId } = await stack.operate<Made>('key', 'add', '--account', 'acme')
    expect((await tokens(apiKey)).status).toBe(200)
    await stack.operate('key', 'revoke', '--key', keyId)
    stack.advanceMs(1_000)
    expect(codeOf(await tokens(apiKey))).toBe('UNAUTHORIZED')
  })
})

describe('a key is refused', () => {
  it.each([
    ['alone', (key: string) => `?api_key=${key}`, false],
    ['beside the header', (key: string) => `?api_key=${key}`, true],
    ['as a bearer, encoded', (key: string) => `?a=1&a=Bearer%20${key}`, true],
    ['as a name', (key: string) => `?${key}`, true],
    ['in quotes', (key: string) => `?a=%22${key}%22`, true],
    ['cut short', (key: string) => `?a=${key.slice(0, 30)}`, true],
    ['in the path', (key: string) => `/${key}`, true],
  ])('if it is in the URL: %s', async (_name, query, hasHeader) => {
    const headers: Record<string, string> = hasHeader ? {} : { authorization: '' }
    const answer = await send(stack, 'GET', TOKENS + query(stack.apiKey), { headers })
    expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHORIZED'])
  })

  it('if the request has two Authorization headers', async () => {
    const line = `Authorization: Bearer ${stack.apiKey}\r\n`
    const ask = (lines: string) =>
      answerTo(stack, `GET ${TOKENS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`)
    expect(await ask(line)).toMatch(/^HTTP\/1.1 200 /)
    expect(await ask(line + line)).toMatch(/^HTTP\/1.1 401 /)
    expect(await ask(`${line}Authorization: Bearer x\r\n`)).toMatch(/^HTTP\/1.1 401 /)
  })
})

describe('limits of a request', () => {
  it('refuse a body that is nested too deeply', async () => {
    const text = `{"amount":${'['.repeat(20)}${']'.repeat(20)}}`
    const answer = await send(stack, 'POST', '/transfer/v1/quote', { text })
    expect(codeOf(answer)).toBe('INVALID_REQUEST')
    expect(JSON.stringify(answer.body['issues'])).toContain('nested too deeply')
  })

  // The clients of the next two tests never complete their requests, so only the service can end the connections.
  it('end a connection whose headers arrive too slowly', async () => {
    const answer = await answerTo(stack, 'GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    const error = ErrorBody.parse(JSON.parse(answer.split('\r\n\r\n')[1] ?? ''))
    expect(error.code).toBe('INVALID_REQUEST')
  })

  it.each(['stack', 'wrong'])(
    'end a connection whose body arrives too slowly (key: %s)',
    async (which) => {
      const key = which === 'stack' ? stack.apiKey : which
      const head = [
        'POST /transfer/v1/quote HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        'Content-Length: 100',
      ]
      const answer = await answerTo(stack, `${head.join('\r\n')}\r\n\r\n{`)
      expect(answer).not.toContain('200 OK')
    },
  )
})
