import fc, { type Arbitrary } from 'fast-check'
import type { FuzzRequest } from './fuzz-request.ts'

type Header = readonly [string, string]

const METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'M-SEARCH',
]
const TYPES = [
  'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '',
  'application/json; charset=utf-16', 'application/jsonx', 'APPLICATION/JSON', '*/*', 'json',
  'application/json; charset=latin1', 'application/json, text/plain', 'application/problem+json', ';', 'application/json;',
] // oxfmt-ignore
/** Prefixes that turn a path into a target in absolute form. They don't change the target's meaning. */
const ORIGINS = ['http://x', 'HTTPS://user@x:1', 'http://[::1]', 'ftp://x']
const QUERIES = ['?', '?limit=-1', '?limit=1&limit=2', '?limit[]=1', '?__proto__=1', '?cursor=', '?limit=%00', '?a=%ff', '?verbose=1'] // oxfmt-ignore

const withHeader = (request: FuzzRequest, ...[name, value]: Header): FuzzRequest => ({
  ...request,
  headers: [...request.headers.filter(([one]) => one !== name), [name, value]],
})

/** Draws a wrong target: a variant of the right path, a path that doesn't exist, or a random path. */
function otherPath(target: string): Arbitrary<string> {
  const path = target.split('?')[0] ?? ''
  return fc.oneof(
    fc.constantFrom(
      `${path}/`, `/${path}`, path.toUpperCase(), `${path}x`, path.replace('v1', 'v2'), '/transfer/v1',
      `${path}%00`, `${path}%2f..`, `${path}/../quote`, path.replace('t', '%74'), `${path};x=1`,
      '/', '/transfer', '/transfer/v1/', '/livez/x', `${path}/%ff`, '/transfer/v1/order//refresh',
      '/transfer/v1/status/', `${path}#x`, `/transfer/v1/status/${'a'.repeat(3_000)}`,
    ), // oxfmt-ignore
    fc.webPath().map((text) => `/transfer/v1${text}`),
    fc.webPath().map((text) => (text.startsWith('/') ? text : `/${text}`)),
  )
}

const oddHeader: Arbitrary<Header> = fc.oneof(
  fc.constantFrom<Header[]>(
    ['x-idempotency-key', ''], ['x-idempotency-key', 'k'.repeat(256)], ['x-idempotency-key', 'k\u00e9y'],
    ['x-idempotency-key', '\t'], ['accept', 'text/html'], ['accept-encoding', 'br'],
    ['content-encoding', 'gzip'], ['content-encoding', 'identity'], ['expect', 'coffee'], ['x-forwarded-for', "1.1.1.1', 'x"], ['host', ''], ['host', 'x y'],
    ['expect', '100-continue'], ['if-none-match', '*'], ['range', 'bytes=0-1'], ['upgrade', 'h2c'],
    ['x-http-method-override', 'DELETE'], ['x-request-id', 'mine'], ['cookie', 'a=b'],
    ['origin', 'https://example.com'], ['accept-version', '9.9.9'],
  ), // oxfmt-ignore
  fc.string({ maxLength: 30 }).map((text): Header => ['x-idempotency-key', text]),
)

/**
 * Changes that make a request malformed. The HTTP parser may refuse malformed requests before the service authenticates
 * them.
 */
const malformations: readonly ((request: FuzzRequest) => FuzzRequest)[] = [
  (request) => withHeader(request, 'x-long', 'x'.repeat(20_000)),
  (request) => withHeader(request, 'bad name', '1'),
  (request) => withHeader(request, 'x-bad', 'a\u0001b'),
  (request) => withHeader(request, 'content-length', '-1'),
  (request) => withHeader(request, 'transfer-encoding', 'chunked'),
  (request) => ({ ...withHeader(request, 'transfer-encoding', 'gzip, chunked') }),
  (request) => ({ ...request, target: `${request.target} x` }),
  (request) => ({ ...request, target: request.target.replace('/', '/\u00e9\u0000') }),
  (request) => ({ ...request, method: 'get' }),
  (request) => ({ ...request, headers: [...request.headers, ['content-length', '3'], ['content-length', '4']] }),
  (request) => ({ ...request, target: `/${'x'.repeat(20_000)}` }),
] // oxfmt-ignore

/**
 * Marks a request after which the connection can't be used again. Client and service may disagree about the byte at
 * which the request ends.
 */
const last = (request: FuzzRequest): FuzzRequest => ({
  ...withHeader(request, 'connection', 'close'),
  isMalformed: true,
})

/** The request with one error outside its body: in the method, path, query, headers or framing. */
export function brokenEnvelope(request: FuzzRequest): Arbitrary<FuzzRequest> {
  return fc.oneof(
    fc.constantFrom(...METHODS).map((method) => ({ ...request, method })),
    otherPath(request.target).map((target) => ({ ...request, target })),
    fc.constantFrom(...ORIGINS).map((origin) => ({ ...request, target: origin + request.target })),
    fc.constant({ ...request, hasHost: false, promised: { kind: 'refusal' } as const }),
    fc.constantFrom(...QUERIES).map((query) => ({ ...request, target: request.target + query })),
    fc.constantFrom(...TYPES).map((type) => withHeader(request, 'content-type', type)),
    oddHeader.map(([name, value]) => withHeader(request, name, value)),
    fc.constantFrom(...malformations).map((break_) => last(break_(request))),
    fc.constant({ ...last(request), body: request.body ?? Buffer.from('{"a'), isCutShort: true }),
    fc.constant({ ...request, body: Buffer.from('{"a":1}') }),
  )
}

/** The request without a valid key: the key is bad, missing or in the wrong place. */
export function brokenKey(
  request: FuzzRequest,
  good: string,
  bad: readonly string[],
): Arbitrary<FuzzRequest> {
  const others = request.headers.filter(([name]) => name !== 'authorization')
  const sent = (...values: string[]): FuzzRequest => ({
    ...request,
    headers: [...others, ...values.map((value): Header => ['authorization', value])],
  })
  const unkeyed: Arbitrary<FuzzRequest> = fc.oneof(
    fc.constant(sent()),
    fc.constantFrom(...bad).map((key) => sent(`Bearer ${key}`)),
    fc.constantFrom(
      sent(''), sent('Bearer'), sent('Bearer '), sent(good), sent(`Basic ${good}`), sent(`Bearer ${good} x`),
      sent(`Bearer ${good.slice(0, -1)}`), sent(`Bearer ${good.toLowerCase()}`), sent(`Bearer  ${good}`),
      sent(`Bearer ${good}`, `Bearer ${good}`), sent(`Bearer ${good}, Bearer ${good}`),
      { ...sent(), headers: [...others, ['x-api-key', good]] as const },
      { ...sent(`Bearer ${good}`), target: `${request.target}?key=${good}` },
      { ...sent(`Bearer ${good}`), target: `${request.target}?${good}` },
      { ...sent(`Bearer ${good}`), target: `${request.target}?a=%22${good.replaceAll('_', '%5F')}%22` },
      { ...sent(`Bearer ${good}`), target: `${request.target}/${good.slice(0, 40)}` },
      { ...sent(), target: `${request.target}?authorization=Bearer%20${good}` },
    ), // oxfmt-ignore
    fc.string({ maxLength: 60 }).map((text) => sent(`Bearer ${text}`)),
  )
  return unkeyed.map((one) => ({ ...one, sender: 'none' as const, isMeantToSucceed: false }))
}
