import { createDefaultRpcTransport, type RpcTransport } from '@solana/kit'
import fc from 'fast-check'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { nodeTransport } from './node-transport.ts'

let server: Server
let url: string
let answer: (response: ServerResponse, request: IncomingMessage) => void
let bodies: string[]
beforeEach(async () => {
  bodies = []
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      bodies.push(body)
      answer(response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const payload = { jsonrpc: '2.0', id: '1', method: 'getSlot', params: [{ minContextSlot: 7n }] }

/** Returns the result or the error of a request, in a form that can be compared. */
async function outcomeOf(transport: RpcTransport, signal?: AbortSignal): Promise<unknown> {
  try {
    return { result: await transport({ payload, ...(signal && { signal }) }) }
  } catch (error) {
    const { name, context } = error as Error & { context?: { headers?: Headers } }
    const retryAfter = context?.headers?.get('retry-after')
    return { name, context: { ...context, headers: undefined }, retryAfter }
  }
}

/** Returns the outcomes of the same answer with this package's transport and with the client library's transport. */
const both = async (): Promise<[unknown, unknown]> => [
  await outcomeOf(nodeTransport(url)),
  await outcomeOf(createDefaultRpcTransport({ url })),
]

const answerText = (text: string) => {
  answer = (response) => response.setHeader('content-type', 'application/json').end(text)
}

/** Checks that both outcomes are the same, and that both transports returned a result. */
async function expectSameResult(): Promise<void> {
  const [ours, theirs] = await both()
  expect(ours).toEqual(theirs)
  expect(ours).toHaveProperty('result')
}

it('reads any JSON as the client library does', async () => {
  const transports = [nodeTransport(url), createDefaultRpcTransport({ url })] as const
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 4 }), fc.boolean(), async (text, isSpaced) => {
      answerText(isSpaced ? JSON.stringify(JSON.parse(text), undefined, 2) : text)
      const [ours, theirs] = [await outcomeOf(transports[0]), await outcomeOf(transports[1])]
      expect(ours).toEqual(theirs)
    }),
  )
})

it.each([
  ['18446744073709551615'],
  ['[-9007199254740993,0,-0,1.5,1e3,12E+2,25e-1,-1.25e2]'],
  [String.raw`{"1":"a \" 12 \\","\\\"2":[3,"\\\\"],"\u0022":4,"":"5"}`],
  ['"\\\\" '],
  [' [ 1 , "x" , null , true , { "lamports" : 5 } ] '],
  [JSON.stringify({ result: { slot: 1, data: ['A'.repeat(30_000), 'base64'] } })],
])('reads numbers and strings as the client library does: %#', async (text) => {
  answerText(text)
  await expectSameResult()
})

it.each([['{"$n":"12x"}'], [`1${'0'.repeat(1_000)}`], ['1e1001'], ['{"a":'], [''], ['"\\']])(
  'refuses the answers that the client library refuses: %#',
  async (text) => {
    answerText(text)
    const [ours, theirs] = await both()
    expect(ours).toHaveProperty('name')
    expect(theirs).toHaveProperty('name')
  },
)

it.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('reads an answer in %s', async (encoding, pack) => {
  answer = (response, { headers }) => {
    expect(headers['accept-encoding']).toContain(encoding)
    response.setHeader('content-encoding', encoding).end(pack('{"result":5}'))
  }
  await expectSameResult()
})

it.each([[403], [429], [500], [503]])(
  'throws the client library’s error for the status %i',
  async (status) => {
    answer = (response) => response.writeHead(status, { 'Retry-After': '7' }).end('{"result":1}')
    const [ours, theirs] = await both()
    expect(ours).toEqual(theirs)
    expect(ours).toMatchObject({ name: 'SolanaError', retryAfter: '7' })
  },
)

it('follows a redirect as the client library does', async () => {
  answer = (response, { url: path }) => {
    if (path === '/moved') response.end('{"result":6}')
    else response.writeHead(307, { location: '/moved' }).end()
  }
  await expectSameResult()
})

it('sends the request that the client library sends', async () => {
  answerText('{"result":1}')
  await both()
  expect(JSON.parse(bodies[0] ?? '')).toEqual(JSON.parse(bodies[1] ?? ''))
  expect(bodies).toHaveLength(2)
})

it.each([
  ['before the answer', (): void => undefined],
  ['within the answer', (response: ServerResponse) => void response.write('{"result"')],
])('fails with the signal’s reason if the caller ends a request %s', async (_, half) => {
  const ending = new AbortController()
  answer = (response) => {
    half(response)
    setImmediate(() => ending.abort(new DOMException('late', 'TimeoutError')))
  }
  expect(await outcomeOf(nodeTransport(url), ending.signal)).toMatchObject({ name: 'TimeoutError' })
})

it('does not send a request if its signal has been aborted', async () => {
  answerText('{"result":1}')
  const signal = AbortSignal.abort(new DOMException('late', 'TimeoutError'))
  expect(await outcomeOf(nodeTransport(url), signal)).toMatchObject({ name: 'TimeoutError' })
  expect(bodies).toEqual([])
})

it('fails on a truncated answer', async () => {
  answer = (response) => {
    response.write('{"result":1', () => response.destroy())
  }
  expect(await outcomeOf(nodeTransport(url))).toHaveProperty('name')
})

it('reuses a connection, and opens another connection if the node has closed it', async () => {
  const transport = nodeTransport(url)
  const closed: Promise<unknown>[] = []
  server.on('connection', (socket) => closed.push(once(socket, 'close')))
  answerText('{"result":1}')
  for (let count = 0; count < 3; count += 1) await transport({ payload })
  expect(closed).toHaveLength(1)
  server.closeIdleConnections()
  await closed[0]
  await expect.poll(() => outcomeOf(transport)).toEqual({ result: { result: 1n } })
  expect(closed).toHaveLength(2)
})

it.each([0, 1])('fails if a connection breaks after %i answers', async (before) => {
  const transport = nodeTransport(url)
  answerText('{"result":1}')
  for (let count = 0; count < before; count += 1) await transport({ payload })
  answer = (response) => response.destroy()
  // The transport doesn't repeat the request. Its caller may have another node, so the caller decides.
  expect(await outcomeOf(transport)).toHaveProperty('name')
  expect(bodies).toHaveLength(before + 1)
})
