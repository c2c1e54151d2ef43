import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { closedLoop } from './closed-loop.ts'
import { CONNECTIONS, openLoop, quantile } from './open-loop.ts'
import type { Shot, Target } from './target.ts'

const SHOT: Shot = { method: 'GET', path: '/', body: null }

let server: Server
afterEach(() => new Promise((resolve) => server.close(resolve)))

async function targetOf(listener: RequestListener, next: Target['next']): Promise<Target> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, headers: {}, next }
}

it('an open loop sends without waiting for answers', async () => {
  const held: (() => void)[] = []
  let opening = CONNECTIONS
  const listener: RequestListener = (_request, response) => {
    if (opening-- > 0) {
      response.end('{}')
      return
    }
    held.push(() => response.end('{}'))
    // The server answers only after it has received 30 requests. A client that waits for each answer before its next
    // request would wait forever.
    if (held.length === 30) held.forEach((answer) => answer())
  }
  const target = await targetOf(listener, () => SHOT)
  expect(await openLoop(target, { rate: 1_000, seconds: 0.03 })).toHaveLength(30)
})

it('a closed loop sends each request once', async () => {
  let received = 0
  const shots = Array.from({ length: 50 }, () => SHOT)
  const listener: RequestListener = (_request, response) => {
    received += 1
    response.end('{}')
  }
  const target = await targetOf(listener, () => shots.pop())
  const answered = await closedLoop(target, { clients: 4, seconds: 60 })
  expect(answered.requests).toBe(50)
  expect(received).toBe(50)
})

it.each([
  ['open', (target: Target) => openLoop(target, { rate: 1_000, seconds: 0.01 })],
  ['closed', (target: Target) => closedLoop(target, { clients: 2, seconds: 60 })],
])('the %s loop fails if an answer is an error', async (_name, run) => {
  const target = await targetOf(
    (_request, response) => {
      response.writeHead(503).end('{"code":"UPSTREAM_UNAVAILABLE"}')
    },
    () => SHOT,
  )
  await expect(run(target)).rejects.toThrow('503 {"code":"UPSTREAM_UNAVAILABLE"}')
})

it('computes the 99th percentile of latencies', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(quantile(hundred, 0.99)).toBe(99)
  expect(quantile([7], 0.99)).toBe(7)
})
