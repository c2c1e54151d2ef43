import { afterAll, beforeAll, expect, it } from 'vitest'
import type { UseCases } from '../../src/http/use-cases.ts'
import { ServiceError } from '../../src/usecases/service-error.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { send, solSend } from './partner-client.ts'
import { startApi, UNLIMITED } from './start-api.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

const AS_OF = '2026-01-02T03:04:05.000Z'
const SECRET = 'SELECT secret FROM inside'
const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

/** Values that a bug of the service might throw or return. */
const FAULTS: readonly [string, () => unknown][] = [
  ['an error', () => Promise.reject(new Error(SECRET))],
  ['an error that is thrown synchronously', () => { throw new TypeError(SECRET) }], // oxfmt-ignore
  ['an error that names a status', () => Promise.reject(Object.assign(new Error(SECRET), { statusCode: 418 }))],
  ['an error with a code of the contract', () => Promise.reject(Object.assign(new Error(SECRET), { code: 'NOT_FOUND' }))],
  ['a text', () => Promise.reject(SECRET)],
  ['null', () => Promise.reject(null)],
  ['nothing', () => Promise.reject(undefined)],
  ['an answer that is not JSON', () => Promise.resolve(cyclic)],
  ['an answer with a bigint', () => Promise.resolve({ success: true, amount: 1n })],
  ['no answer', () => Promise.resolve(undefined)],
] // oxfmt-ignore

const REQUESTS: readonly [keyof UseCases, 'GET' | 'POST', string, () => unknown][] = [
  ['listTokens', 'GET', '/transfer/v1/tokens', () => undefined],
  ['listOrders', 'GET', '/transfer/v1/orders', () => undefined],
  ['readStatus', 'GET', '/transfer/v1/status/x', () => undefined],
  ['hintDeposit', 'POST', '/transfer/v1/deposit', () => ({ trackingId: 'x' })],
  ['refreshTransaction', 'POST', '/transfer/v1/order/x/refresh', () => ({})],
  ['quoteTransfer', 'POST', '/transfer/v1/quote', () => solSend(stack)],
]

/**
 * Sends a request to a server with changed use cases. Checks that the response is an internal error in the common form.
 */
async function expectInternal(
  change: (useCases: UseCases) => UseCases,
  requests: typeof REQUESTS,
): Promise<void> {
  const broken = await startApi(stack, stack.settings, UNLIMITED, change)
  for (const [useCase, method, url, body] of requests) {
    const answer = await send({ ...stack, baseUrl: broken.baseUrl }, method, url, { body: body() })
    expect([useCase, answer.status, answer.body['code']]).toEqual([useCase, 500, 'INTERNAL'])
    expect(Object.keys(answer.body).sort()).toEqual([
      'code',
      'docs',
      'message',
      'requestId',
      'retry',
      'success',
    ])
    expect(answer.text).not.toMatch(/SELECT|\.ts\b|node_modules|\bat /)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  }
  await broken.stop()
}

it.each(FAULTS)(
  '%s from a use case is INTERNAL without details in every operation',
  async (_name, fault) => {
    const broken = Object.fromEntries(REQUESTS.map(([useCase]) => [useCase, fault]))
    await expectInternal((useCases) => ({ ...useCases, ...broken }), REQUESTS)
  },
)

it('a fault during authentication is INTERNAL, not UNAUTHORIZED', async () => {
  const authenticate = () => Promise.reject(new Error(SECRET))
  await expectInternal((useCases) => ({ ...useCases, authenticate }), REQUESTS.slice(0, 1))
})

it.each<[string, keyof UseCases, () => unknown, RegExp]>([
  ['one member too many', 'listTokens', () => ({ success: true, tokens: [], asOf: AS_OF, more: 1 }), /more/],
  ['one member too few', 'listTokens', () => ({ success: true, tokens: [] }), /asOf/],
  ['a code that is not documented', 'readStatus', () => Promise.reject(new ServiceError('PRICE_MOVED')), /PRICE_MOVED/],
])('the check of all answers detects %s', async (_name, useCase, answer, expected) => {
  const wrong = await startApi(stack, stack.settings, UNLIMITED, (useCases) => ({
    ...useCases,
    [useCase]: answer,
  }))
  const path = useCase === 'listTokens' ? 'tokens' : 'status/x'
  const headers = { authorization: `Bearer ${stack.apiKey}` }
  await fetch(`${wrong.baseUrl}/transfer/v1/${path}`, { headers })
  await expect(wrong.stop()).rejects.toThrow(expected)
}) // oxfmt-ignore
