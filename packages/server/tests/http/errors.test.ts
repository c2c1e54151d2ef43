import { ErrorBody } from '@sotto/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROGRAM } from '../settlement/stack/localnet-process.ts'
import { answerTo } from './answer-to.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, placed, send, solSend } from './partner-client.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

const QUOTE = '/transfer/v1/quote'

describe('without a valid key', () => {
  it.each([
    ['an unknown route', '/transfer/v1/nothing', {}],
    ['a wrong method', '/transfer/v1/tokens', {}],
    ['a wrong media type', QUOTE, { 'content-type': 'text/plain' }],
    ['a malformed body', QUOTE, { 'content-type': 'application/json' }],
    ['the bare prefix', '/transfer/v1', {}],
    ['a percent-encoded prefix', '/%74ransfer/v1/nothing', {}],
    ['a path that is not text', '/transfer/v1/status/%ff', {}],
    ['a very long id', `/transfer/v1/order/${'a'.repeat(5_000)}/refresh`, {}],
  ])('%s is UNAUTHORIZED', async (_name, url, headers) => {
    for (const authorization of [
      '',
      'Bearer x',
      `Basic ${stack.apiKey}`,
      `Bearer ${stack.apiKey}x`,
    ]) {
      const sent = { text: '{', headers: { ...headers, authorization } }
      const answer = await send(stack, 'POST', url, sent)
      expect([answer.status, codeOf(answer)]).toEqual([401, 'UNAUTHORIZED'])
    }
  })

  it('a revoked key is refused within a second of its revocation', async () => {
    type Made = { apiKey: string; keyId: string }
    const { apiKey, keyId } = await stack.operate<Made>('key', 'add', '--account', 'acme')
    expect((await send(stack, 'GET', '/transfer/v1/tokens', { apiKey })).status).toBe(200)
    await stack.operate('key', 'revoke', '--key', keyId)
    stack.advanceMs(1_000)
    expect((await send(stack, 'GET', '/transfer/v1/tokens', { apiKey })).status).toBe(401)
  })
})

describe('the keys of an account', () => {
  it('both keys of a rotation work until the overlap ends', async () => {
    type Made = { apiKey: string; keyId: string }
    const old = await stack.operate<Made>('key', 'add', '--account', 'acme')
    const rotate = ['key', 'rotate', '--key', old.keyId, '--overlap-seconds', '60']
    const fresh = await stack.operate<Made>(...rotate)
    const statusOf = async (apiKey: string) =>
      (await send(stack, 'GET', '/transfer/v1/tokens', { apiKey })).status
    expect([await statusOf(old.apiKey), await statusOf(fresh.apiKey)]).toEqual([200, 200])
    stack.advanceMs(61_000)
    expect([await statusOf(old.apiKey), await statusOf(fresh.apiKey)]).toEqual([401, 200])
  })

  it('a key without the scope is FORBIDDEN', async () => {
    const words = ['key', 'add', '--account', 'acme', '--scopes', 'read']
    const { apiKey } = await stack.operate<{ apiKey: string }>(...words)
    const answer = await send(stack, 'POST', QUOTE, { body: solSend(stack), apiKey })
    expect(codeOf(answer)).toBe('FORBIDDEN')
  })

  it('a key without the scope is FORBIDDEN whatever its request contains', async () => {
    const words = ['key', 'add', '--account', 'acme', '--scopes', 'read']
    const { apiKey } = await stack.operate<{ apiKey: string }>(...words)
    for (const sent of [
      { text: 'a', headers: { 'content-type': 'text/plain' } },
      { text: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
      { text: '{"amount":' },
      { text: JSON.stringify({ amount: '1'.repeat(70_000) }) },
      {},
    ]) {
      const answer = await send(stack, 'POST', `${QUOTE}?verbose=1`, { ...sent, apiKey })
      expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN'])
    }
  })
})

describe('with a key', () => {
  it.each([
    ['an unknown route', 'GET', '/transfer/v1/nothing', 404, 'NOT_FOUND'],
    ['a wrong method', 'GET', QUOTE, 405, 'METHOD_NOT_ALLOWED'],
    ['a malformed id', 'GET', '/transfer/v1/status/x', 404, 'ORDER_NOT_FOUND'],
    [
      'an unknown id',
      'GET',
      '/transfer/v1/status/tr_AAAAAAAAAAAAAAAAAAAAAA',
      404,
      'ORDER_NOT_FOUND',
    ],
    ['an id of bytes that are not text', 'GET', '/transfer/v1/status/%ff', 404, 'ORDER_NOT_FOUND'],
    ['a lone percent sign', 'GET', '/transfer/v1/%', 404, 'NOT_FOUND'],
    ['a very long id', 'GET', `/transfer/v1/status/${'a'.repeat(5_000)}`, 404, 'ORDER_NOT_FOUND'],
    ['a wrong cursor', 'GET', '/transfer/v1/orders?cursor=x', 400, 'INVALID_REQUEST'],
    [
      'a cursor with a time in the year 20000',
      'GET',
      '/transfer/v1/orders?cursor=AAIFehNEGAABAQEBAQEBAQEBAQEBAQEB',
      400,
      'INVALID_REQUEST',
    ],
    ['a wrong limit', 'GET', '/transfer/v1/orders?limit=1000', 400, 'INVALID_REQUEST'],
  ] as const)('%s is refused with its code', async (_name, method, url, status, code) => {
    const answer = await send(stack, method, url)
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
    expect(answer.headers.get('x-request-id')).toBe(answer.body['requestId'])
  })

  it.each([
    ['malformed JSON', '{"amount":', 400, 'INVALID_REQUEST'],
    ['a member twice', '{"amount":"1","amount":"1"}', 400, 'INVALID_REQUEST'],
    ['no body', '', 400, 'INVALID_REQUEST'],
    ['null', 'null', 400, 'INVALID_REQUEST'],
    ['64 KiB and more', JSON.stringify({ amount: '1'.repeat(70_000) }), 413, 'PAYLOAD_TOO_LARGE'],
  ] as const)('%s is refused', async (_name, text, status, code) => {
    const answer = await send(stack, 'POST', QUOTE, { text })
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
  })

  it('another media type is refused', async () => {
    const headers = { 'content-type': 'text/plain' }
    const answer = await send(stack, 'POST', QUOTE, { text: '{}', headers })
    expect([answer.status, codeOf(answer)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  it('an invalid member is named in the error', async () => {
    const unknown = await send(stack, 'POST', QUOTE, { body: { ...solSend(stack), memo: 'x' } })
    expect([codeOf(unknown), unknown.body['param']]).toEqual(['INVALID_REQUEST', 'memo'])
    for (const [name, value] of [
      ['amount', 1_000],
      ['amount', '01'],
      ['amount', '-1'],
      ['amount', '18446744073709551616'],
      ['feeBps', '5'],
      ['feeBps', null],
      ['mode', null],
    ] as const) {
      const answer = await send(stack, 'POST', QUOTE, {
        body: { ...solSend(stack), [name]: value },
      })
      expect([codeOf(answer), answer.body['param']]).toEqual(['INVALID_REQUEST', name])
    }
  })

  it('an invalid member is described in plain words', async () => {
    const messageFor = async (url: string, text: string) => {
      const { body } = await send(stack, 'POST', url, { text })
      return (body['issues'] as { param: string; message: string }[])[0]?.message
    }
    const { amount: _, ...rest } = solSend(stack)
    const quoteWith = (members: string) => `{${members},${JSON.stringify(rest).slice(1)}`
    for (const [members, message] of [
      ['"amount":1000000000000000000001', 'must be a string'],
      ['"amount":null', 'must be a string'],
      ['"mode":"exact_in"', 'is missing'],
      ['"amount":"1","feeBps":"5"', 'must be a whole number'],
      ['"amount":"1","feeBps":1.5', 'must be a whole number'],
      ['"amount":"1","feeBps":1000000000000000000001', 'must be a whole number'],
      ['"amount":"1","autoReturn":1', 'must be true or false'],
    ] as const) {
      expect([members, await messageFor(QUOTE, quoteWith(members))]).toEqual([members, message])
    }
    const parties = '"senderAddress":"a","recipientAddress":"b"'
    for (const quote of ['[]', '"a"', '1', '1000000000000000000001', 'null']) {
      const text = `{"quote":${quote},${parties}}`
      expect(await messageFor('/transfer/v1/order', text)).toBe('must be an object')
    }
    for (const text of ['[]', '"a"', 'null', '1']) {
      expect(await messageFor(QUOTE, text)).toBe('must be an object')
    }
  })

  it.each([
    ['the program itself', PROGRAM],
    ['the ed25519 program', 'Ed25519SigVerify111111111111111111111111111'],
    ['the compute budget program', 'ComputeBudget111111111111111111111111111111'],
  ])('%s is refused as a sender', async (_name, senderAddress) => {
    const answer = await send(stack, 'POST', QUOTE, { body: solSend(stack, { senderAddress }) })
    expect([codeOf(answer), answer.body['param']]).toEqual(['INVALID_REQUEST', 'senderAddress'])
  })

  it('the member with an unknown asset is named in the error', async () => {
    const body = solSend(stack, { sourceAssetId: 'nothing' })
    const answer = await send(stack, 'POST', QUOTE, { body })
    expect([codeOf(answer), answer.body['param']]).toEqual(['UNSUPPORTED_ASSET', 'sourceAssetId'])
  })

  it('an idempotency key that is too long is refused', async () => {
    const headers = { 'x-idempotency-key': 'k'.repeat(256) }
    const body = { quote: {}, senderAddress: 'a', recipientAddress: 'b' }
    const answer = await send(stack, 'POST', '/transfer/v1/order', { body, headers })
    expect([codeOf(answer), answer.body['param']]).toEqual(['INVALID_REQUEST', 'X-Idempotency-Key'])
  })
})

describe('bytes that are not HTTP', () => {
  it.each([
    [
      'a header without a colon',
      'GET / HTTP/1.1\r\nHost: x\r\nBad\r\n\r\n',
      400,
      'INVALID_REQUEST',
    ],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'INVALID_REQUEST'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      413,
      'PAYLOAD_TOO_LARGE',
    ],
  ] as const)('%s is answered in the common form', async (_name, bytes, status, code) => {
    const [head = '', body = ''] = (await answerTo(stack, bytes)).split('\r\n\r\n')
    const error = ErrorBody.parse(JSON.parse(body))
    expect([head.split(' ')[1], error.code]).toEqual([`${status}`, code])
    expect(head.toLowerCase()).toContain(`x-request-id: ${error.requestId}`)
  })
})

describe('without authentication', () => {
  it.each(['/livez', '/readyz', '/openapi.json', '/docs', '/docs/errors/QUOTE_MISMATCH'])(
    '%s is open',
    async (path) => expect((await fetch(stack.baseUrl + path)).status).toBe(200),
  )
})

describe('while the chain is unreachable', () => {
  it('quotes are refused, but status and tokens are answered', async () => {
    const { order } = await placed(stack, solSend(stack))
    await stack.localnet.local('localnet_setFaults', [{ errorRate: 1 }])
    // After this time, the market data is too old for a quote.
    stack.advanceMs(60_000)
    const quote = await send(stack, 'POST', QUOTE, { body: solSend(stack) })
    expect([quote.status, codeOf(quote)]).toEqual([503, 'UPSTREAM_UNAVAILABLE'])
    expect(quote.headers.get('retry-after')).toBe('2')
    const { trackingId } = order
    expect((await send(stack, 'GET', '/transfer/v1/tokens')).status).toBe(200)
    expect((await send(stack, 'GET', `/transfer/v1/status/${trackingId}`)).status).toBe(200)
    const hint = { body: { trackingId } }
    expect((await send(stack, 'POST', '/transfer/v1/deposit', hint)).status).toBe(200)
    expect((await fetch(`${stack.baseUrl}/readyz`)).status).toBe(503)
    await stack.localnet.local('localnet_setFaults', [{}])
    expect((await send(stack, 'POST', QUOTE, { body: solSend(stack) })).status).toBe(200)
  })
})
