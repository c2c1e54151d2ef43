import {
  createDefaultRpcTransport,
  createSolanaRpc,
  createSolanaRpcFromTransport,
  type Base64EncodedWireTransaction,
} from '@solana/kit'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createPacedRpc,
  pacedTransport,
  RequestPace,
  systemPaceClock,
  type RateLimit,
} from '../index.ts'

/** A clock whose sleeps take no real time. */
function virtualClock() {
  let nowMs = 1_000_000
  const sleep = async (ms: number) => void (nowMs += ms)
  return { nowMs: () => nowMs, sleep, advanceMs: (ms: number) => void (nowMs += ms) }
}

/** A node with the limits of public nodes: at most 100 requests in ten seconds, and 40 of one method. */
function publicNode(clock: ReturnType<typeof virtualClock>, refusal: () => unknown) {
  const sent: { method: string; atMs: number }[] = []
  let refused = 0
  const transport = async ({ payload }: { payload: unknown }) => {
    const { id, method } = payload as { id: string; method: string }
    const recent = sent.filter(({ atMs }) => atMs > clock.nowMs() - 10_000)
    const isFull = recent.length >= 100 || recent.filter((o) => o.method === method).length >= 40
    if (isFull) {
      refused += 1
      return refusal()
    }
    sent.push({ method, atMs: clock.nowMs() })
    return { jsonrpc: '2.0', id, result: 7 }
  }
  return { transport: transport as never, sent, refused: () => refused }
}

function tooMany(headers: Record<string, string>): never {
  const context = { statusCode: 429, headers: new Headers(headers) }
  throw Object.assign(new Error('HTTP error (429)'), { context })
}

describe('a node with public limits', () => {
  it.each([
    ['429 without a time', () => tooMany({})],
    ['429 with a Retry-After', () => tooMany({ 'Retry-After': '10' })],
    ['-32429 with status 200', () => ({ error: { code: -32_429, message: 'too many' } })],
  ])('answers all requests in the end, although it refuses some with %s', async (_, refusal) => {
    const clock = virtualClock()
    const node = publicNode(clock, refusal)
    const send = pacedTransport(node.transport, clock)
    for (let count = 0; count < 400; count += 1) {
      const method = count % 2 === 0 ? 'getTransaction' : 'getBlock'
      expect(await send({ payload: { id: '1', method } })).toMatchObject({ result: 7 })
    }
    expect(node.refused()).toBeLessThan(20)
  })
})

it('slows requests down only for a while if refusals don’t depend on the pace', async () => {
  const clock = virtualClock()
  let asked = 0
  // A balancer in front of many nodes. One of the nodes refuses every request.
  const transport = async () => {
    asked += 1
    return asked % 16 === 0 ? tooMany({}) : { result: 7 }
  }
  const send = pacedTransport(transport as never, clock)
  const startMs = clock.nowMs()
  for (let count = 0; count < 400; count += 1) await send({ payload: { method: 'getSlot' } })
  expect(clock.nowMs() - startMs).toBeLessThan(400_000)
})

it('names an error code that the client library does not know', async () => {
  const refuse = async () => ({ error: { code: -32_052, message: 'not for this key' } })
  const send = pacedTransport(refuse as never, virtualClock())
  await expect(send({ payload: { method: 'getSlot' } })).rejects.toThrow('error -32052')
})

it('sends every request without a delay to a node without limits', async () => {
  const clock = virtualClock()
  const send = pacedTransport((async () => ({ result: 7 })) as never, clock)
  const startMs = clock.nowMs()
  for (let count = 0; count < 1_000; count += 1) await send({ payload: { method: 'getSlot' } })
  expect(clock.nowMs()).toBe(startMs)
})

describe('the pace', () => {
  const limit = (pace: RequestPace, sentAtMs: number, of: RateLimit = {}) =>
    pace.limited('getSlot', sentAtMs, of)

  it('delays the requests of every method for as long as the node demands', () => {
    const clock = virtualClock()
    const pace = new RequestPace(clock)
    limit(pace, clock.nowMs(), { retryAfterMs: 3_000 })
    expect(pace.waitMs('getSlot')).toBe(3_000)
    expect(pace.waitMs('getBlock')).toBe(3_000)
    clock.advanceMs(3_000)
    expect(pace.waitMs('getBlock')).toBe(0)
  })

  it('counts the refusals of several requests in flight as one refusal', async () => {
    const clock = virtualClock()
    const pace = new RequestPace(clock)
    const sentAtMs = clock.nowMs()
    clock.advanceMs(50)
    for (let count = 0; count < 24; count += 1) limit(pace, sentAtMs)
    expect(pace.waitMs('getSlot')).toBe(1_000)
    await pace.turn('getSlot')
    expect(pace.waitMs('getSlot')).toBe(275)
    expect(pace.waitMs('getBlock')).toBe(110)
  })

  it('delays no request four minutes after the last refusal', async () => {
    const clock = virtualClock()
    const pace = new RequestPace(clock)
    limit(pace, clock.nowMs())
    clock.advanceMs(240_000)
    await pace.turn('getSlot')
    expect(pace.waitMs('getSlot')).toBe(0)
  })
})

describe('a node over HTTP', () => {
  let server: Server
  let answers: {
    status?: number
    headers?: Record<string, string>
    body?: object
    text?: string
  }[]
  let atMs: number[]
  beforeEach(async () => {
    atMs = []
    server = createServer((request, response) => {
      atMs.push(Date.now())
      const { status = 200, headers = {}, body, text } = answers.shift() ?? {}
      const shown = { jsonrpc: '2.0', id: '0', ...(body ?? { result: 7 }) }
      const send = () =>
        response
          .writeHead(status, { 'Content-Type': 'application/json', ...headers })
          .end(text ?? JSON.stringify(shown))
      request.on('end', send).resume()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  })
  afterEach(() => server.close())
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}` as const

  it('is asked again after the time in its Retry-After', async () => {
    answers = [{ status: 429, headers: { 'Retry-After': '1' } }]
    expect(await createPacedRpc(url()).getSlot().send()).toBe(7n)
    expect(atMs[1]! - atMs[0]!).toBeGreaterThanOrEqual(990)
  })

  it('is asked again after an internal error, at most three times in all', async () => {
    const internal = { body: { error: { code: -32_603, message: 'no' } } }
    answers = [internal, internal]
    expect(await createPacedRpc(url()).getSlot().send()).toBe(7n)
    answers = [internal, internal, internal]
    const failed = createPacedRpc(url()).getSlot().send()
    await expect(failed).rejects.toMatchObject({ context: { __code: -32_603 } })
  })

  it.each([
    ['502', { status: 502 }],
    ['503', { status: 503 }],
    ['504', { status: 504 }],
    ['-32005', { body: { error: { code: -32_005, message: 'Node is behind by 150 slots' } } }],
    ['-32016', { body: { error: { code: -32_016, message: 'slot not reached' } } }],
    ['HTML with status 200', { text: '<!doctype html><title>Just a moment...</title>' }],
  ])('is asked again after %s, at most five times in all', async (_, passing) => {
    const rpc = () =>
      createSolanaRpcFromTransport(
        pacedTransport(createDefaultRpcTransport({ url: url() }), virtualClock()),
      )
    answers = Array.from({ length: 4 }, () => passing)
    expect(await rpc().getSlot().send()).toBe(7n)
    answers = Array.from({ length: 5 }, () => passing)
    await expect(rpc().getSlot().send()).rejects.toThrow()
    expect(answers).toEqual([])
  })

  it('is asked again after the time in its Retry-After if it is unavailable', async () => {
    const clock = virtualClock()
    const startMs = clock.nowMs()
    answers = [{ status: 503, headers: { 'Retry-After': '7' } }]
    const transport = pacedTransport(createDefaultRpcTransport({ url: url() }), clock)
    expect(await createSolanaRpcFromTransport(transport).getSlot().send()).toBe(7n)
    expect(clock.nowMs() - startMs).toBe(7_000)
  })

  it('gets no second copy of a transaction that it may have sent', async () => {
    answers = [{ status: 502 }]
    const wire = 'AQ==' as Base64EncodedWireTransaction
    const sent = createPacedRpc(url()).sendTransaction(wire, { encoding: 'base64' }).send()
    await expect(sent).rejects.toMatchObject({ context: { statusCode: 502 } })
    expect(atMs).toHaveLength(1)
  })

  it.each([400, 403, 404])('is not asked again if it refuses with %s', async (status) => {
    answers = [{ status }]
    await expect(createPacedRpc(url()).getSlot().send()).rejects.toMatchObject({
      context: { statusCode: status },
    })
    expect(atMs).toHaveLength(1)
  })

  it('is asked again if it answers -32429, although the client library throws a TypeError', async () => {
    answers = [{ body: { error: { code: -32_429, message: 'no' } } }]
    await expect(createSolanaRpc(url()).getSlot().send()).rejects.toThrow(TypeError)
    answers = [{ body: { error: { code: -32_429, message: 'no' } } }]
    expect(await createPacedRpc(url()).getSlot().send()).toBe(7n)
  })
})

/** A node that never answers. Only a signal ends its requests. */
function silentNode() {
  let asked = 0
  const transport = ({ signal }: { signal?: AbortSignal }) => {
    asked += 1
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
  }
  return { transport: transport as never, asked: () => asked }
}

describe('a node that never answers', () => {
  const limited = (node: ReturnType<typeof silentNode>) =>
    pacedTransport(node.transport, virtualClock(), 1)

  it('gets a request five times, and then the request fails', async () => {
    const node = silentNode()
    const asked = limited(node)({ payload: { method: 'getSlot' } })
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(node.asked()).toBe(5)
  })

  it('gets a transaction only once, because the node may have sent it', async () => {
    const node = silentNode()
    const sent = limited(node)({ payload: { method: 'sendTransaction' } })
    await expect(sent).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(node.asked()).toBe(1)
  })

  it('is not asked again after the caller has ended the request', async () => {
    const node = silentNode()
    const stopping = new AbortController()
    const { signal } = stopping
    const asked = pacedTransport(node.transport, virtualClock())({ payload: {}, signal })
    await Promise.resolve()
    stopping.abort(new Error('stopped'))
    await expect(asked).rejects.toThrow('stopped')
    expect(node.asked()).toBe(1)
  })
})

it('ignores a wall clock that was set back', async () => {
  const pace = new RequestPace(systemPaceClock)
  await pace.turn('getSlot')
  const nowMs = Date.now()
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => nowMs - 3_600_000)
  expect(pace.waitMs('getSlot')).toBe(0)
  clock.mockRestore()
})
