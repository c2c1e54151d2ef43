import { ErrorBody, OPERATIONS, type Operation } from '@sotto/contract'
import { METHODS } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerTo } from './answer-to.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, send, solSend } from './partner-client.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

const TOKENS = '/transfer/v1/tokens'
const QUOTE = '/transfer/v1/quote'
const operations = Object.values(OPERATIONS as Record<string, Operation>)
const paths = operations.map(({ path }) => path)

interface Raw {
  readonly line: string
  readonly headers?: readonly string[]
  readonly isKeyed?: boolean
  readonly body?: string
  readonly hasHost?: boolean
}

/**
 * Sends exact bytes, and returns the status, the code and the Allow header of the response. The response must have the
 * common form.
 */
async function ask({ line, headers = [], isKeyed = true, body = '', hasHost = true }: Raw) {
  const lines = [
    line,
    ...(hasHost ? ['Host: x'] : []),
    'Connection: close',
    ...(isKeyed ? [`Authorization: Bearer ${stack.apiKey}`] : []),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ]
  const answer = await answerTo(stack, `${lines.join('\r\n')}\r\n\r\n${body}`)
  // A client that expects 100-continue first gets the interim response 100.
  const final = answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  const [head = '', text = ''] = final.split('\r\n\r\n')
  const status = Number(head.split(' ')[1])
  const allow = /^allow: (.*)$/im.exec(head)?.[1]
  if (status === 200) return { status, allow }
  if (line.startsWith('HEAD')) return { status, allow }
  const { code, param } = ErrorBody.parse(JSON.parse(text))
  return { status, allow, code, param }
}

const JSON_TYPE = 'Content-Type: application/json'

describe('a target in absolute form', () => {
  it.each(['http://x', 'HTTPS://user@x:1'])(
    'is treated as its path, for the origin %s',
    async (origin) => {
      const line = (method: string, path: string) => `${method} ${origin}${path} HTTP/1.1`
      expect(await ask({ line: line('GET', TOKENS) })).toMatchObject({ status: 200 })
      expect(await ask({ line: line('GET', '/livez') })).toMatchObject({ status: 200 })
      const made = { line: line('POST', QUOTE), headers: [JSON_TYPE] }
      expect(await ask({ ...made, body: JSON.stringify(solSend(stack)) })).toMatchObject({
        status: 200,
      })
    },
  )

  it.each([
    ['an operation', 'GET', TOKENS, []],
    ['an unknown route', 'GET', '/transfer/v1/nothing', []],
    ['a wrong media type', 'POST', QUOTE, ['Content-Type: text/plain']],
    ['a malformed body', 'POST', QUOTE, [JSON_TYPE]],
    ['a percent-encoded prefix', 'GET', '/%74ransfer/v1/nothing', []],
    ['bytes that are not text', 'GET', `${TOKENS};%ff`, []],
  ] as const)('needs an API key for %s', async (_name, method, path, headers) => {
    const line = `${method} http://x${path} HTTP/1.1`
    expect(await ask({ line, headers, isKeyed: false, body: '{' })).toMatchObject({
      code: 'UNAUTHORIZED',
    })
  })
})

describe('a method that a path does not have', () => {
  // The test sends every other method that the HTTP parser accepts, with and without a malformed body.
  const OPEN = ['/livez', '/docs/errors/QUOTE_EXPIRED', '/.well-known/security.txt']
  const others = METHODS.filter((method) => method !== 'GET' && method !== 'POST')
  it.each(others)(
    '%s is METHOD_NOT_ALLOWED, or NOT_FOUND if the path is unknown',
    async (method) => {
      // Pages that need no API key accept HEAD, as another test shows.
      const open = method === 'HEAD' ? [] : OPEN
      for (const path of [TOKENS, QUOTE, ...open, '/transfer/v1/nothing']) {
        const isKnown = path !== '/transfer/v1/nothing'
        const target = method === 'CONNECT' ? path.slice(1) : path
        for (const [body, headers] of [
          ['', []],
          ['{"a":', [JSON_TYPE]],
          ['a', ['Content-Type: text/plain']],
          ['a', []],
        ] as const) {
          // The bytes after CONNECT aren't a body.
          if (method === 'CONNECT' && body !== '') continue
          const line = `${method} ${target} HTTP/1.1`
          const answer = await ask({ line, headers, body })
          expect([method, path, body, answer.status]).toEqual([
            method,
            path,
            body,
            isKnown ? 405 : 404,
          ])
          const allow = path === QUOTE ? 'POST' : OPEN.includes(path) ? 'GET, HEAD' : 'GET'
          expect(answer.allow).toBe(isKnown ? allow : undefined)
          const unkeyed = await ask({ line, headers, body, isKeyed: false })
          expect([method, path, unkeyed.status]).toEqual([
            method,
            path,
            OPEN.includes(path) ? 405 : 401,
          ])
        }
      }
    },
  )
})

describe('the headers of a request', () => {
  it.each([
    ['without Host', { hasHost: false }],
    ['with two Hosts', { headers: ['Host: y'] }],
    ['with an unknown expectation', { headers: ['Expect: coffee'] }],
  ] as const)('are refused %s', async (_name, odd) => {
    const line = `GET ${TOKENS} HTTP/1.1`
    expect(await ask({ line, ...odd })).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(await ask({ line, ...odd, isKeyed: false })).toMatchObject({ status: 401 })
    expect(await ask({ line: 'GET /livez HTTP/1.1', ...odd })).toMatchObject({ status: 400 })
  })

  it('may contain `Expect: 100-continue`', async () => {
    const body = JSON.stringify(solSend(stack))
    const headers = [JSON_TYPE, 'Expect: 100-continue']
    expect(await ask({ line: `POST ${QUOTE} HTTP/1.1`, headers, body })).toMatchObject({
      status: 200,
    })
  })

  it('need no Host in HTTP/1.0', async () => {
    expect(await ask({ line: `GET ${TOKENS} HTTP/1.0`, hasHost: false })).toMatchObject({
      status: 200,
    })
  })

  it('are all read, even if there are thousands', async () => {
    const headers = [
      ...Array.from({ length: 2_500 }, () => 'a:'),
      `X-Idempotency-Key: ${'k'.repeat(256)}`,
    ]
    const body = JSON.stringify({ quote: {}, senderAddress: 'a', recipientAddress: 'b' })
    const line = 'POST /transfer/v1/order HTTP/1.1'
    expect(await ask({ line, headers: [JSON_TYPE, ...headers], body })).toMatchObject({
      code: 'INVALID_REQUEST',
      param: 'X-Idempotency-Key',
    })
  })
})

describe('the media type of a body', () => {
  const quote = (headers: readonly string[]) =>
    ask({ line: `POST ${QUOTE} HTTP/1.1`, headers, body: JSON.stringify(solSend(stack)) })

  it.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])(
    'may be %s',
    async (type) => expect(await quote([`Content-Type: ${type}`])).toMatchObject({ status: 200 }),
  ) // oxfmt-ignore

  it.each([
    ['utf-16', ['Content-Type: application/json; charset=utf-16']],
    ['latin 1', ['Content-Type: application/json; a=b; charset="iso-8859-1"']],
    ['gzip', [JSON_TYPE, 'Content-Encoding: gzip']],
    ['no content type', []],
  ])('is refused with %s', async (_name, headers) => {
    expect(await quote(headers)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  it('may not be given twice', async () => {
    expect(await quote([JSON_TYPE, 'Content-Type: text/plain'])).toMatchObject({
      code: 'INVALID_REQUEST',
    })
  })
})

describe('the transfer encoding of a body', () => {
  const chunked = (coding: string) => {
    const body = JSON.stringify(solSend(stack))
    const lines = [
      ...[`POST ${QUOTE} HTTP/1.1`, 'Host: x', 'Connection: close', JSON_TYPE],
      ...[`Authorization: Bearer ${stack.apiKey}`, `Transfer-Encoding: ${coding}`],
    ]
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    return answerTo(stack, `${lines.join('\r\n')}\r\n\r\n${chunk}`)
  }

  it.each(['chunked', 'Chunked'])('may be %s', async (coding) => {
    expect(await chunked(coding)).toContain('HTTP/1.1 200')
  })

  it.each(['gzip, chunked', 'identity, chunked', 'gzip\r\nTransfer-Encoding: chunked'])(
    'is refused if it is %j',
    async (coding) => {
      const answer = await chunked(coding)
      expect(answer).toContain('HTTP/1.1 415')
      expect(answer).toContain('UNSUPPORTED_MEDIA_TYPE')
    },
  )
})

describe('a request to remove an endpoint', () => {
  it('may have an empty body, but no members', async () => {
    const url = `/transfer/v1/webhooks/wh_${'A'.repeat(22)}`
    const answer = await send(stack, 'DELETE', url, { body: { foo: 1 } })
    expect([codeOf(answer), answer.body['param']]).toEqual(['INVALID_REQUEST', 'foo'])
    for (const body of [undefined, {}]) {
      expect(codeOf(await send(stack, 'DELETE', url, { body }))).toBe('NOT_FOUND')
    }
  })
})

describe('an error does not repeat', () => {
  it.each(['4Nd1mYt3sQ6kH9eTJv8bVxkSgPzqQm3cHqvBq8cJq7hM', 'a b', '<b>', '__proto__', 'x'.repeat(40)])(
    'the name of an unknown member, %s',
    async (name) => {
      const text = JSON.stringify(solSend(stack)).replace('{', `{${JSON.stringify(name)}:1,`)
      const twice = text.replace('{', `{${JSON.stringify(name)}:1,`)
      for (const sent of [text, twice]) {
        const answer = await send(stack, 'POST', QUOTE, { text: sent })
        expect([codeOf(answer), answer.text.includes(name)]).toEqual(['INVALID_REQUEST', false])
      }
    },
  ) // oxfmt-ignore

  it('an API key that the caller sent as a member’s name', async () => {
    const body = { ...solSend(stack), [stack.apiKey]: 1 }
    const answer = await send(stack, 'POST', QUOTE, { body })
    expect([codeOf(answer), answer.text.includes(stack.apiKey)]).toEqual(['INVALID_REQUEST', false])
  })
})

describe('parameters in the query', () => {
  it.each(paths)('are refused if %s does not have them', async (path) => {
    const { method } = operations.find((operation) => operation.path === path)!
    const url = `${path.replace(':trackingId', 'tr_AAAAAAAAAAAAAAAAAAAAAA')}?verbose=1`
    const body = method === 'POST' ? { body: {} } : {}
    const answer = await send(stack, method, url, body)
    expect([codeOf(answer), answer.body['param']]).toEqual(['INVALID_REQUEST', 'verbose'])
  })
})

describe('an invalid tracking id', () => {
  it.each([0, 65, 5_000])('of %i characters is ORDER_NOT_FOUND in a deposit hint', async (size) => {
    const body = { trackingId: 'x'.repeat(size) }
    const answer = await send(stack, 'POST', '/transfer/v1/deposit', { body })
    expect([answer.status, codeOf(answer)]).toEqual([404, 'ORDER_NOT_FOUND'])
  })
})

describe('a client that leaves', () => {
  it('in the middle of its body is not logged as a fault of the service', async () => {
    const length = stack.logged().length
    const controller = new AbortController()
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"amount":')),
    })
    const sent = fetch(stack.baseUrl + QUOTE, {
      ...{ method: 'POST', body, duplex: 'half', signal: controller.signal },
      headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
    })
    await new Promise((resolve) => setTimeout(resolve, 200))
    controller.abort()
    await expect(sent).rejects.toThrow()
    const logged = () => stack.logged().slice(length)
    await expect.poll(logged).toContain('client_left')
    expect(logged()).not.toMatch(/"level":[45]0|INTERNAL/)
  })
})
