import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { send } from './partner-client.ts'
import { startApi, UNLIMITED, type StartedApi } from './start-api.ts'

const SINCE = '2027-01-01'
const deprecations = { listOrders: { since: SINCE, sunset: '2027-12-31', docs: '/docs' } }

let stack: HttpStack
let later: StartedApi
beforeAll(async () => {
  stack = await startHttpStack()
  later = await startApi(stack, stack.settings, { ...UNLIMITED, deprecations })
})
afterAll(async () => {
  await later.stop()
  await stack.close()
})

const headersOf = async (url: string, apiKey?: string) => {
  const sent = apiKey === undefined ? {} : { apiKey }
  const { headers } = await send({ ...stack, baseUrl: later.baseUrl }, 'GET', url, sent)
  return ['deprecation', 'sunset', 'link'].map((name) => headers.get(name))
}

it('every answer of a deprecated operation states its deprecation and sunset', async () => {
  const told = ['@1798761600', 'Fri, 31 Dec 2027 00:00:00 GMT', '</docs>; rel="deprecation"']
  expect(await headersOf('/transfer/v1/orders')).toEqual(told)
  expect(await headersOf('/transfer/v1/orders?limit=0')).toEqual(told)
  expect(await headersOf('/transfer/v1/orders', 'wrong')).toEqual(told)
})

it('no other operation states a deprecation', async () => {
  const nothing = [null, null, null]
  expect(await headersOf('/transfer/v1/tokens')).toEqual(nothing)
  expect(await headersOf('/transfer/v1/status/x')).toEqual(nothing)
  const { headers } = await send(stack, 'GET', '/transfer/v1/orders')
  expect(headers.has('deprecation')).toBe(false)
})

it('a server does not start if a sunset comes too soon', async () => {
  const soon = { listOrders: { since: SINCE, sunset: '2027-02-01', docs: '/docs' } }
  await expect(
    startApi(stack, stack.settings, { ...UNLIMITED, deprecations: soon }),
  ).rejects.toThrow(/180 days/)
})
