import { createDefaultRpcTransport, type RpcTransport } from '@solana/kit'
import fc from 'fast-check'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { nodeTransport } from './node-transport.ts'

let server: Server
let url: string
let requests: string[]
let sockets: Set<Socket>
let answer: (socket: Socket) => void
beforeEach(async () => {
  requests = []
  sockets = new Set()
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    socket.on('data', (part: Buffer) => {
      requests.push(part.toString())
      answer(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve))
  url = `http://[::1]:${(server.address() as AddressInfo).port}/?key=a%20b`
})
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

const request = (method = 'getSlot') => ({
  payload: { jsonrpc: '2.0', id: '1', method, params: [] },
})

/** The result of a request, or its error. */
async function outcomeOf(
  transport: RpcTransport,
  asked: Parameters<RpcTransport>[0] = request(),
): Promise<{ readonly result?: unknown; readonly error?: Error }> {
  try {
    return { result: await transport(asked) }
  } catch (error) {
    return { error: error as Error }
  }
}

const RESULT = '{"result":5}'

/** The bytes of an HTTP answer with status 200. */
function bytesOf(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const lines = Object.entries({ 'content-length': `${Buffer.byteLength(body)}`, ...headers })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n`), Buffer.from(body)])
}

const packed = (encoding: string, bytes: Uint8Array) =>
  bytesOf(bytes, { 'content-encoding': encoding })

it('ends a request if the node switches to another protocol', async () => {
  answer = (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
  const { error } = await outcomeOf(nodeTransport(url))
  expect(error).toMatchObject({ code: 'rpc_no_answer' })
})

it.each(['constructor', '__proto__', 'toString', 'deflate', 'gzip, br', 'zstd'])(
  'ends the request and the connection if the answer has the encoding %s',
  async (encoding) => {
    answer = (socket) => socket.write(packed(encoding, Buffer.from(RESULT)))
    const { error } = await outcomeOf(nodeTransport(url))
    expect(error).toMatchObject({ code: 'rpc_encoding' })
    await expect.poll(() => sockets.size).toBe(0)
  },
)

it.each([
  ['GZIP', gzipSync(RESULT)],
  ['x-gzip', gzipSync(RESULT)],
  ['Br', brotliCompressSync(RESULT)],
  ['identity', Buffer.from(RESULT)],
])('reads an answer whose encoding is written as %s', async (encoding, bytes) => {
  answer = (socket) => socket.write(packed(encoding, bytes))
  expect(await outcomeOf(nodeTransport(url))).toEqual({ result: { result: 5n } })
})

it('closes the connection if an endless answer cannot be decompressed', async () => {
  answer = (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n')
    const drip = setInterval(() => socket.write(`400\r\n${'a'.repeat(1_024)}\r\n`), 1)
    socket.on('close', () => clearInterval(drip))
  }
  expect(await outcomeOf(nodeTransport(url))).toHaveProperty('error')
  await expect.poll(() => sockets.size).toBe(0)
})

const LARGE = `"${'a'.repeat(33_554_432)}"`
const PACKED = packed('gzip', gzipSync(LARGE))

it('stops unpacking an answer that is larger than a hundred accounts of the pool', async () => {
  answer = (socket) => socket.write(PACKED)
  const { error } = await outcomeOf(nodeTransport(url))
  expect(error).toMatchObject({ code: 'rpc_too_large' })
})

it('closes the connection of an answer that does not end', async () => {
  const part = `100000\r\n${' '.repeat(1_048_576)}\r\n`
  answer = (socket) => {
    const more = () => socket.write(part, (error) => (error ? undefined : more()))
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', more)
  }
  const { error } = await outcomeOf(nodeTransport(url))
  expect(error).toMatchObject({ code: 'rpc_too_large' })
  await expect.poll(() => sockets.size).toBe(0)
})

it('reads a large listing of a program’s accounts', async () => {
  answer = (socket) => socket.write(PACKED)
  const { result } = await outcomeOf(nodeTransport(url), request('getProgramAccounts'))
  expect(result).toHaveLength(LARGE.length - 2)
})

it('ignores an answer that no request asked for', async () => {
  const transport = nodeTransport(url)
  answer = (socket) => socket.write(Buffer.concat([bytesOf(RESULT), bytesOf('{"result":6}')]))
  for (let count = 0; count < 3; count += 1) {
    expect(await outcomeOf(transport)).toEqual({ result: { result: 5n } })
  }
})

it('sends credentials and query to the node', async () => {
  const secret = new URL(url)
  secret.username = 'bob'
  secret.password = 'pass/word'
  answer = (socket) => socket.write(bytesOf(RESULT))
  expect(await outcomeOf(nodeTransport(secret.href))).toHaveProperty('result')
  const basic = Buffer.from('bob:pass/word').toString('base64')
  expect(requests.join('')).toMatch(/^POST \/\?key=a%20b HTTP/)
  expect(requests.join('').toLowerCase()).toContain(`authorization: basic ${basic}`.toLowerCase())
})

const redirect = (location: string) =>
  Buffer.from(`HTTP/1.1 307 T\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`)

it('follows redirects within the host, and reuses the connections', async () => {
  const secret = new URL(url)
  secret.username = 'bob'
  const isMoved = () => requests.at(-1)?.startsWith('POST /moved ')
  answer = (socket) => socket.write(isMoved() === true ? bytesOf(RESULT) : redirect('/moved'))
  const transport = nodeTransport(secret.href)
  for (let count = 0; count < 2; count += 1) {
    expect(await outcomeOf(transport)).toEqual({ result: { result: 5n } })
  }
  expect(requests.join('').match(/authorization: basic/gi)).toHaveLength(4)
  expect(sockets.size).toBe(2)
})

it.each([
  ['to another host', () => url.replace('[::1]', 'localhost')],
  ['to another port', () => 'http://[::1]:1/'],
  ['with another protocol', () => 'file:///etc/passwd'],
  ['to no URL', () => 'http://['],
  ['without end', () => '/'],
])('refuses a redirect %s', async (_, location) => {
  answer = (socket) => socket.write(redirect(location()))
  const { error } = await outcomeOf(nodeTransport(url))
  expect(error).toMatchObject({ name: 'SolanaError', context: { statusCode: 307 } })
  expect(requests.length).toBeLessThan(8)
})

it('accepts a URL whose protocol is in capitals', async () => {
  const { error } = await outcomeOf(nodeTransport(url.replace('http:', ' HTTPS:')))
  // The request fails, because it uses TLS and this server doesn't support TLS.
  expect((error as { code?: string }).code).toMatch(/EPROTO|SSL/)
})

const character = fc.oneof(
  fc.constantFrom(String.raw`\"`, '\\\\', String.raw`\u0022`, String.raw`\ud800`, '\\n', '\u2028'),
  fc.constantFrom('{', '}', '[', ']', ',', ':', '-1', '12', '1e3', '$n', ' '),
  fc.string({ unit: 'grapheme', maxLength: 2 }).map((text) => JSON.stringify(text).slice(1, -1)),
)
const string = fc.array(character, { maxLength: 6 }).map((parts) => `"${parts.join('')}"`)
const number = fc.oneof(
  fc.constantFrom('-0', '0', '1e21', '-0.0', '1E+3', '25e-1', '18446744073709551615', '0e0'),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,4})?([eE][+-]?\d{1,2})?$/),
)
const space = fc.constantFrom('', '', ' ', '\n\t')
/** JSON texts. Some have several members of the same name, or objects in the form that the parsers use internally. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(string, number, fc.constantFrom('true', 'false', 'null')),
    fc
      .tuple(space, fc.array(tie('json'), { maxLength: 4 }))
      .map(([gap, all]) => `[${all.join(`${gap},`)}${gap}]`),
    fc
      .array(
        fc.tuple(
          fc.oneof(string, fc.constantFrom('"$n"', '"__proto__"', '"a"')),
          space,
          tie('json'),
        ),
        {
          maxLength: 4,
        },
      )
      .map((all) => `{${all.map(([name, gap, value]) => `${name}${gap}:${gap}${value}`).join()}}`),
  ),
}))

/** The ways in which a node can send a body: compressed or not, whole or in chunks. */
const sending = fc.record({
  encoding: fc.constantFrom('', 'gzip', 'br'),
  chunk: fc.nat({ max: 9 }),
})

const PACKERS: Readonly<Record<string, (text: string) => Uint8Array>> = {
  gzip: gzipSync,
  br: brotliCompressSync,
}

function sent(text: string, { encoding, chunk }: { encoding: string; chunk: number }): Buffer {
  const body: Uint8Array = PACKERS[encoding]?.(text) ?? Buffer.from(text)
  const headers = encoding === '' ? {} : { 'content-encoding': encoding }
  if (chunk === 0) return bytesOf(body, headers)
  const parts: Uint8Array[] = [Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n')]
  for (const [name, value] of Object.entries(headers))
    parts.push(Buffer.from(`${name}: ${value}\r\n`))
  for (let at = 0; at < body.length; at += chunk) {
    const part = body.subarray(at, at + chunk)
    parts.push(Buffer.from(`\r\n${part.length.toString(16)}\r\n`), part)
  }
  return Buffer.concat([...parts, Buffer.from('\r\n0\r\n\r\n')])
}

it('reads every complete answer as the client library does, but refuses a truncated one', async () => {
  const [ours, theirs] = [nodeTransport(url), createDefaultRpcTransport({ url })]
  await fc.assert(
    fc.asyncProperty(json, sending, fc.nat(), async (text, how, cut) => {
      const bytes = sent(text, how)
      answer = (socket) => socket.write(bytes)
      const [one, other] = [await outcomeOf(ours), await outcomeOf(theirs)]
      expect('result' in one).toBe('result' in other)
      expect(one.result).toEqual(other.result)
      answer = (socket) => socket.end(bytes.subarray(0, cut % bytes.length))
      expect(await outcomeOf(ours)).toHaveProperty('error')
    }),
    { numRuns: 100 },
  )
})

it.each([1_000, 1_000_000])('reads or refuses an answer that is %i arrays deep', async (depth) => {
  answer = (socket) => socket.write(bytesOf(`${'['.repeat(depth)}7${']'.repeat(depth)}`))
  const { result, error } = await outcomeOf(nodeTransport(url))
  if (depth === 1_000) expect((result as unknown[]).flat(depth)).toEqual([7n])
  else expect(error).toBeInstanceOf(RangeError)
})
