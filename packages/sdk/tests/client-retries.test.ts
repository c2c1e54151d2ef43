import { ERRORS, errorDocs, type ErrorCode } from '@sotto/contract'
import { afterEach, describe, expect, it } from 'vitest'
import type { Host } from '../src/host/host.ts'
import { createSottoClient, SottoApiError, SottoTransportError, type Quote } from '../server.ts'
import { startScriptedService, type Answer, type ScriptedService } from './scripted-service.ts'

const quote = { quoteId: 'q_AAAA' } as Quote
const terms = { quote, senderAddress: 'sender', recipientAddress: 'recipient' }
const order = { trackingId: 'tr_1' }
const made: Answer = { status: 200, body: { success: true, order } }

function refused(code: ErrorCode, headers: Record<string, string> = {}): Answer {
  const { status, retry, message } = ERRORS[code]
  const body = { success: false, code, message, requestId: 'req_1', retry, docs: errorDocs(code) }
  return { status, body, headers }
}

let service: ScriptedService | undefined
afterEach(async () => {
  await service?.stop()
  service = undefined
})

/** A client of a service that gives these responses. The client's host records each wait and returns immediately. */
async function against(answers: readonly Answer[], more: { timeoutMs?: number } = {}) {
  service = await startScriptedService(answers)
  const waitedMs: number[] = []
  const host: Host = {
    nowMs: () => 0,
    fraction: () => 0.5,
    sleep: async (ms) => void waitedMs.push(ms),
  }
  const { baseUrl } = service
  const client = createSottoClient({ baseUrl, apiKey: 'sotto_test_key', host, ...more })
  return { client, waitedMs, received: service.received }
}

describe('a client that sends an order again', () => {
  it.each<[string, Answer]>([
    ['a concurrent request', refused('ORDER_IN_PROGRESS', { 'retry-after': '1' })],
    ['a rate limit', refused('RATE_LIMITED', { 'retry-after': '1' })],
    ['a fault of the service', refused('INTERNAL', { 'retry-after': '1' })],
    ['a connection that was cut', 'cut'],
    [
      'a gateway’s answer without the service’s error body',
      { status: 502, body: '<html>Bad gateway</html>' },
    ],
    ['an answer that was cut short', { status: 200, body: '{"success":' }],
  ])('sends the same bytes and the same key after %s', async (_, first) => {
    const { client, received, waitedMs } = await against([first, first, made])
    expect(await client.createOrder(terms)).toEqual(order)
    expect(received.length).toBe(3)
    const sent = received.map(({ body, headers }) => [body, headers['x-idempotency-key']])
    expect(new Set(sent.map(String)).size).toBe(1)
    expect(sent[0]).toEqual([JSON.stringify(terms), 'q_AAAA'])
    expect(waitedMs.length).toBe(2)
  })

  it('sends the caller’s own key again after a time-out', async () => {
    const { client, received } = await against(['silence', made], { timeoutMs: 200 })
    expect(await client.createOrder(terms, { idempotencyKey: 'invoice-7' })).toEqual(order)
    expect(received.map(({ headers }) => headers['x-idempotency-key'])).toEqual([
      'invoice-7',
      'invoice-7',
    ])
  })

  it('waits a random time longer than Retry-After says', async () => {
    const limited = refused('RATE_LIMITED', { 'retry-after': '7' })
    const { client, waitedMs } = await against([limited, made])
    await client.createOrder(terms)
    expect(waitedMs[0]).toBeGreaterThan(7_000)
  })

  it('waits longer than a gateway’s Retry-After says', async () => {
    const headers = { 'retry-after': '9' }
    const { client, waitedMs } = await against([{ status: 503, body: 'busy', headers }, made])
    await client.createOrder(terms)
    expect(waitedMs[0]).toBeGreaterThan(9_000)
  })
})

describe('a client that must not send an order again', () => {
  const final = Object.entries(ERRORS).filter(([, { retry }]) => retry !== 'unchanged')
  it.each(final.map(([code]) => code as ErrorCode))(
    'sends it once if the answer is %s',
    async (code) => {
      const { client, received, waitedMs } = await against([refused(code), made])
      const error: unknown = await client.createOrder(terms).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(SottoApiError)
      const { status, retry } = ERRORS[code]
      expect(error).toMatchObject({ code, status, retry, requestId: 'req_1' })
      expect((error as SottoApiError).docs).toBe(`${service!.baseUrl}/docs/errors/${code}`)
      expect([received.length, waitedMs.length]).toEqual([1, 0])
    },
  )

  it.each(['@evil.example/x', '.evil.example/x', ':1/x', 'x', ''])(
    'gets no link to another host from the service: %s',
    async (docs) => {
      const { status, body } = refused('FORBIDDEN') as { status: number; body: object }
      const { client } = await against([{ status, body: { ...body, docs } }])
      const error = (await client.createOrder(terms).catch((thrown: unknown) => thrown)) as Error
      const isOwn = docs === ''
      expect(error).toMatchObject({ code: 'FORBIDDEN', docs: isOwn ? `${service!.baseUrl}/` : '' })
      expect(error.message).toMatch(isOwn ? /\(req_1; http.*\)$/ : /\(req_1\)$/)
    },
  )

  it('sends it once even if the answer IDEMPOTENCY_CONFLICT allows a retry', async () => {
    const conflict = refused('IDEMPOTENCY_CONFLICT') as { status: number; body: object }
    const lying = { ...conflict, body: { ...conflict.body, retry: 'unchanged' } }
    const { client, received } = await against([lying, made])
    await expect(client.createOrder(terms)).rejects.toThrow('IDEMPOTENCY_CONFLICT')
    expect(received.length).toBe(1)
  })

  it('sends it once if another server refuses the request', async () => {
    const { client, received } = await against([{ status: 404, body: '<html/>' }, made])
    await expect(client.createOrder(terms)).rejects.toThrow(SottoTransportError)
    expect(received.length).toBe(1)
  })
})

it('gives up after five attempts, or if the wait would be too long', async () => {
  const limited = refused('RATE_LIMITED', { 'retry-after': '1' })
  const first = await against([limited, limited, limited, limited, limited, made])
  await expect(first.client.createOrder(terms)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(first.received.length).toBe(5)
  await service?.stop()
  const second = await against([refused('LIQUIDITY_UNAVAILABLE', { 'retry-after': '90' }), made])
  const refusal = { code: 'LIQUIDITY_UNAVAILABLE', retryAfterSeconds: 90 }
  await expect(second.client.createOrder(terms)).rejects.toMatchObject(refusal)
  expect(second.received.length).toBe(1)
  await service?.stop()
  const third = await against([refused('RATE_LIMITED', { 'retry-after': '10000000' }), made])
  await expect(third.client.createOrder(terms)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(third.received.length).toBe(1)
})

it('stops immediately when the caller aborts, even before the start', async () => {
  const { client, received } = await against(['silence'])
  const controller = new AbortController()
  const running = client.status('tr_1', { signal: controller.signal })
  const stopped = expect(running).rejects.toThrow('enough')
  await expect.poll(() => received.length).toBe(1)
  controller.abort(new Error('enough'))
  await stopped
  await expect(client.status('tr_1', { signal: controller.signal })).rejects.toThrow('enough')
  expect(received.length).toBe(1)
})

it('follows no redirect', async () => {
  const elsewhere = { location: 'http://127.0.0.1:1/transfer/v1/tokens' }
  const redirect: Answer = { status: 307, body: '', headers: elsewhere }
  const { client, received } = await against([redirect, redirect, redirect, redirect, redirect])
  await expect(client.tokens()).rejects.toThrow(SottoTransportError)
  expect(new Set(received.map(({ url }) => url))).toEqual(new Set(['/transfer/v1/tokens']))
})

it('reads all pages, each only when it is needed', async () => {
  const page = (ids: string[], nextCursor: string | null): Answer => ({
    status: 200,
    body: { success: true, orders: ids.map((trackingId) => ({ trackingId })), nextCursor },
  })
  const { client, received } = await against([page(['a', 'b'], 'next/1'), page(['c'], null)])
  const seen: string[] = []
  for await (const { trackingId } of client.orders({ pageSize: 2 })) seen.push(trackingId)
  expect(seen).toEqual(['a', 'b', 'c'])
  expect(received.map(({ url }) => url)).toEqual([
    '/transfer/v1/orders?limit=2',
    '/transfer/v1/orders?limit=2&cursor=next%2F1',
  ])
})
