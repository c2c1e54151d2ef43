import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { askNodes } from '../../src/adapters/rpc/ask-node.ts'
import { sharedPaces } from '../../src/adapters/rpc/paces.ts'
import { relayNode } from '../../src/http/send-page/relay-node.ts'
import { startRemote, type RemoteServer } from '../remote/remote-server.ts'
import { startRpc, type RpcServer } from '../remote/rpc-server.ts'

const HEIGHT = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBlockHeight', params: [] })
const CHUNK = Buffer.alloc(65_536, 'x')
/** Upper bound of the number of bytes that are sent but not read. Such bytes remain in the buffers of both sides. */
const BYTES_MAX = 32 * 1_048_576

let close: (() => Promise<void>)[] = []

/** Starts a node whose response never ends. Its number of sent bytes can be read. */
async function startEndless() {
  const taken = { bytes: 0 }
  const server: Server = createServer((_request, response) => {
    const more = () => {
      if (response.destroyed || taken.bytes > BYTES_MAX) return response.destroy()
      taken.bytes += CHUNK.length
      return response.write(CHUNK, more)
    }
    more()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  close.push(async () => void server.closeAllConnections())
  close.push(async () => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, taken }
}

/** Starts a node that refuses every request, and demands a pause. */
async function startBusy(retryAfter: string): Promise<RemoteServer> {
  const headers = { 'Retry-After': retryAfter }
  const node = await startRemote(() => ({ status: 429, json: {}, headers }))
  close.push(node.close)
  return node
}

async function startNode(): Promise<RpcServer> {
  const node = await startRpc(7)
  close.push(node.close)
  return node
}

describe('the relay to a node', () => {
  afterEach(async () => {
    for (const one of close) await one()
    close = []
  })

  it('reads only as much of an answer as a page can need, and does not repeat a large request at another node', async () => {
    const [endless, other] = [await startEndless(), await startNode()]
    const ask = askNodes([endless.url, other.url])
    const height = JSON.parse(HEIGHT) as unknown
    const relayed = relayNode(ask, false, height)
    // The error is the caller's fault, so it must not raise an alert.
    await expect(relayed).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(endless.taken.bytes).toBeLessThan(BYTES_MAX)
    expect(other.asked).toEqual([])
  })

  it('sends a transaction to all endpoints for sending and to no other node, and asks them for nothing else', async () => {
    const [reader, down, sender] = [await startNode(), await startNode(), await startNode()]
    const ask = askNodes([reader.url], [down.url, sender.url])
    const sent = { jsonrpc: '2.0', id: 1, method: 'sendTransaction', params: ['AAAA'] }
    down.faults.push(429)
    expect(JSON.parse(await relayNode(ask, false, sent))).toMatchObject({ result: 'signature' })
    expect([reader, down, sender].map(({ asked }) => asked.length)).toEqual([0, 1, 1])
    await relayNode(ask, false, JSON.parse(HEIGHT))
    expect([reader, down, sender].map(({ asked }) => asked.length)).toEqual([1, 1, 1])
    for (const one of [down, sender]) one.faults.push('refuse')
    await expect(relayNode(ask, false, sent)).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
    })
    expect(reader.asked).toHaveLength(1)
  })

  it('passes neither -32429 nor a balancer’s page on, and asks the next node instead', async () => {
    const [faulty, other] = [await startNode(), await startNode()]
    const ask = askNodes([faulty.url, other.url])
    const relay = async () => JSON.parse(await relayNode(ask, false, JSON.parse(HEIGHT))) as unknown
    faulty.faults.push('garbage')
    expect(await relay()).toMatchObject({ result: 7 })
    faulty.error = { code: -32_005, message: 'Node is behind by 150 slots' }
    expect(await relay()).toMatchObject({ result: 7 })
    faulty.error = { code: -32_429, message: 'too many requests' }
    expect(await relay()).toMatchObject({ result: 7 })
    // A node that has asked for a pause is asked last.
    expect(await relay()).toMatchObject({ result: 7 })
    expect([faulty, other].map(({ asked }) => asked.length)).toEqual([3, 4])
  })

  it('says how long the only node demands to wait, and does not ask it earlier', async () => {
    const busy = await startBusy('7')
    const paceOf = sharedPaces(systemClock)
    const ask = askNodes([busy.url], undefined, paceOf)
    for (const _request of [1, 2]) {
      await expect(relayNode(ask, false, JSON.parse(HEIGHT))).rejects.toMatchObject({
        code: 'UPSTREAM_UNAVAILABLE',
        context: { retryAfterSeconds: 7 },
      })
    }
    expect(busy.asked).toHaveLength(1)
    // The service's own requests to the node wait too.
    expect(paceOf(busy.url).waitMs('getSlot')).toBeGreaterThan(2_000)
  })

  it('lets only a few requests of pages wait for a node', async () => {
    const node = await startNode()
    const paceOf = sharedPaces(systemClock)
    paceOf(node.url).limited('getBlockHeight', systemClock.nowMs(), { retryAfterMs: 500 })
    const ask = askNodes([node.url], undefined, paceOf)
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => ask(HEIGHT)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(node.asked).toHaveLength(4)
    expect(await ask(HEIGHT)).toContain('"result":7')
  })

  it('asks the next node if one is down or refuses', async () => {
    const [down, other] = [await startNode(), await startNode()]
    down.faults.push('refuse', 429)
    const ask = askNodes([down.url, other.url])
    for (const _fault of [1, 2]) {
      expect(JSON.parse((await ask(HEIGHT)) ?? '')).toMatchObject({ result: 7 })
    }
    expect(down.asked).toHaveLength(2)
  })
})
