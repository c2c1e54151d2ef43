import type { Address } from '@sotto/protocol'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createRpcClient } from './rpc-client.ts'

type Answer = (response: ServerResponse) => void

const height: Answer = (response) => response.end('{"jsonrpc":"2.0","id":1,"result":7}')
const unavailable: Answer = (response) => response.writeHead(503).end()
const limited: Answer = (response) => response.writeHead(429, { 'Retry-After': '1' }).end()
const forbidden: Answer = (response) => response.writeHead(403).end()
const broken: Answer = (response) => response.destroy()
const refused =
  (code: number): Answer =>
  (response) =>
    response.end(`{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":"no","data":{}}}`)

let server: Server
let url: string
let answers: Answer[]
let asked: number
beforeEach(async () => {
  asked = 0
  server = createServer((request, response) => {
    response.setHeader('Content-Type', 'application/json')
    const answer = answers[asked] ?? height
    asked += 1
    request.on('end', () => answer(response)).resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => server.close())

const ask = () => createRpcClient(url).getBlockHeight().send()

it.each([
  ['a broken connection', broken],
  ['a node that is overloaded', unavailable],
  ['an unhealthy node', refused(-32005)],
  ['a node that lags behind', refused(-32016)],
  ['an internal error', refused(-32603)],
])('answers in spite of three consecutive failures: %s', async (_, fault) => {
  answers = [fault, fault, fault]
  expect(await ask()).toBe(7n)
  expect(asked).toBe(4)
})

it('ends a request after four tries if the node never answers', async () => {
  answers = Array<Answer>(20).fill(unavailable)
  await expect(ask()).rejects.toThrow()
  expect(asked).toBe(4)
})

it.each([
  ['is forbidden', forbidden],
  ['contains parameters that the node does not accept', refused(-32602)],
])('does not repeat a request if it %s', async (_, fault) => {
  answers = [fault]
  await expect(ask()).rejects.toThrow()
  expect(asked).toBe(1)
})

it.each([
  ['429', limited],
  ['-32429 with status 200', refused(-32429)],
])(
  'repeats a request after the demanded pause if the node refuses it with %s',
  async (_, refusal) => {
    answers = [refusal]
    const startMs = performance.now()
    expect(await ask()).toBe(7n)
    expect(asked).toBe(2)
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(990)
  },
)

it('fails with the code of the rate limit if the only node demands a long pause', async () => {
  answers = [(response) => response.writeHead(429, { 'Retry-After': '60' }).end()]
  await expect(ask()).rejects.toMatchObject({ code: 'rpc_rate_limited' })
  expect(asked).toBe(1)
})

it('keeps the code of an error that the client library does not know', async () => {
  answers = [refused(-32099)]
  await expect(ask()).rejects.toMatchObject({ code: 'rpc_error_32099' })
})

it('still uses a node that refuses to list accounts', async () => {
  answers = Array.from({ length: 8 }, () => (response: ServerResponse) => {
    response.writeHead(429, { 'Retry-After': '60' }).end()
  })
  const rpc = createRpcClient(url)
  const program = 'SysvarC1ock11111111111111111111111111111111' as Address
  await expect(rpc.getProgramAccounts(program, { encoding: 'base64' }).send()).rejects.toThrow()
  answers = []
  expect(await rpc.getBlockHeight().send()).toBe(7n)
})
