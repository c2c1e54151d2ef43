import {
  AccountRole,
  address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Address,
  type Blockhash,
  type SignatureBytes,
} from '@solana/kit'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { askNodes } from '../../src/adapters/rpc/ask-node.ts'
import { sharedPaces } from '../../src/adapters/rpc/paces.ts'
import { relayNode } from '../../src/http/send-page/relay-node.ts'
import { HandClock } from '../webhooks/hand-clock.ts'
import { RequestPace } from '@sotto/protocol'
import { startRemote, type RemoteServer } from '../remote/remote-server.ts'
import { startRpc, type RpcServer } from '../remote/rpc-server.ts'

const HEIGHT = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBlockHeight', params: [] })
const PAYER = address('SysvarRent111111111111111111111111111111111')
const PROGRAM: Address = address('SysvarC1ock11111111111111111111111111111111')
const OTHER_PROGRAM: Address = address('SysvarS1otHashes111111111111111111111111111')
const OPTIONS = { isLocal: false, programId: PROGRAM as string }
const BLOCKHASH = { blockhash: PAYER as string as Blockhash, lastValidBlockHeight: 1n }

/** A transaction that calls a program, in base64. If `isSigned` is true, it has an invented signature. */
function wireOf(programAddress: Address, isSigned = true): string {
  const accounts = [{ address: PROGRAM, role: AccountRole.READONLY }]
  const transaction = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(PAYER, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(BLOCKHASH, message),
    (message) => appendTransactionMessageInstruction({ programAddress, accounts }, message),
    compileTransaction,
  )
  const signature = new Uint8Array(64).fill(isSigned ? 1 : 0) as SignatureBytes
  return getBase64EncodedWireTransaction({ ...transaction, signatures: { [PAYER]: signature } })
}

const CHUNK = Buffer.alloc(65_536, 'x')
/** Upper bound of the number of bytes that are sent but not read. Such bytes remain in the buffers of both sides. */
const BYTES_MAX = 32 * 1_048_576

let close: (() => Promise<void>)[] = []

/** Starts a node whose response never ends. A test can read the number of sent bytes. */
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

  it('reads only as much of an answer as a page can need', async () => {
    const [endless, other] = [await startEndless(), await startNode()]
    const ask = askNodes([endless.url, other.url])
    const height = JSON.parse(HEIGHT) as unknown
    const relayed = relayNode(ask, OPTIONS, height)
    // The error is the caller's fault, so it must not raise an alert.
    await expect(relayed).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(endless.taken.bytes).toBeLessThan(BYTES_MAX)
    expect(other.asked).toEqual([])
  })

  it('sends a transaction only to the endpoints for sending', async () => {
    const [reader, down, sender] = [await startNode(), await startNode(), await startNode()]
    const ask = askNodes([reader.url], [down.url, sender.url])
    const sent = {
      jsonrpc: '2.0',
      id: 1,
      method: 'sendTransaction',
      params: [wireOf(PROGRAM), { encoding: 'base64' }],
    }
    down.faults.push(429)
    expect(JSON.parse(await relayNode(ask, OPTIONS, sent))).toMatchObject({ result: 'signature' })
    expect([reader, down, sender].map(({ asked }) => asked.length)).toEqual([0, 1, 1])
    await relayNode(ask, OPTIONS, JSON.parse(HEIGHT))
    expect([reader, down, sender].map(({ asked }) => asked.length)).toEqual([1, 1, 1])
    for (const one of [down, sender]) one.faults.push('refuse')
    await expect(relayNode(ask, OPTIONS, sent)).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
    })
    expect(reader.asked).toHaveLength(1)
  })

  it('asks the next node if a node answers -32429 or with a load balancer’s page', async () => {
    const [faulty, other] = [await startNode(), await startNode()]
    const ask = askNodes([faulty.url, other.url])
    const relay = async () =>
      JSON.parse(await relayNode(ask, OPTIONS, JSON.parse(HEIGHT))) as unknown
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

  it('returns the pause that the only node demands', async () => {
    const busy = await startBusy('7')
    const paceOf = sharedPaces(systemClock)
    const ask = askNodes([busy.url], undefined, paceOf)
    for (const _request of [1, 2]) {
      await expect(relayNode(ask, OPTIONS, JSON.parse(HEIGHT))).rejects.toMatchObject({
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

  it.each([
    ['calls only another program', wireOf(OTHER_PROGRAM), {}],
    ['lacks a signature', wireOf(PROGRAM, false), {}],
    ['is no transaction', 'AAAA', {}],
    ['is longer than a transaction can be', 'A'.repeat(1_648), {}],
    ['the page wants to send without a simulation', wireOf(PROGRAM), { skipPreflight: true }],
  ])('sends no transaction that %s', async (_name, wire, options) => {
    const node = await startNode()
    const params = [wire, { encoding: 'base64', ...options }]
    const sent = { jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }
    const relayed = relayNode(askNodes([node.url]), OPTIONS, sent)
    await expect(relayed).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(node.asked).toEqual([])
  })

  it('asks at most two nodes', async () => {
    const nodes = [await startNode(), await startNode(), await startNode()]
    for (const node of nodes) node.error = { code: -32_016, message: 'slot not reached' }
    const ask = askNodes(nodes.map(({ url }) => url))
    expect(await ask(HEIGHT)).toContain('-32016')
    expect(nodes.map(({ asked }) => asked.length)).toEqual([1, 1, 0])
  })

  it('uses at most a quarter of a node’s pace for an hour after a refusal', async () => {
    const node = await startNode()
    const clock = new HandClock(1_800_000_000_000)
    const pace = new RequestPace(clock)
    const ask = askNodes([node.url], undefined, () => pace, clock)
    const answered = async (count: number) => {
      const all = await Promise.allSettled(Array.from({ length: count }, () => ask(HEIGHT)))
      return all.filter(({ status }) => status === 'fulfilled').length
    }
    expect(await answered(50)).toBe(50)
    pace.limited('getSlot', clock.nowMs(), { retryAfterMs: 0 })
    // The node's pace recovers within minutes, but the share of the pages stays limited for the hour.
    clock.advance(600_000)
    expect(pace.waitMs('getBlockHeight')).toBe(0)
    expect(await answered(50)).toBe(12)
    clock.advance(11_000)
    expect(await answered(50)).toBe(10)
    clock.advance(3_600_000)
    expect(await answered(50)).toBe(50)
  })
})
