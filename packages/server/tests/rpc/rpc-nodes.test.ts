import { address, type Base64EncodedWireTransaction, type Signature } from '@solana/kit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  createRpcClient,
  createRpcClients,
  type ChainRpc,
} from '../../src/adapters/rpc/rpc-client.ts'
import { movedClock, type MovedClock } from '../remote/no-wait-clock.ts'
import { startRpc, type RpcServer } from '../remote/rpc-server.ts'

let clock: MovedClock
let nodes: [RpcServer, RpcServer, RpcServer]
let changes: string[]
beforeEach(async () => {
  clock = movedClock(1_000_000)
  nodes = await Promise.all([startRpc(1_000), startRpc(1_001), startRpc(1_002)])
  changes = []
})
afterEach(() => Promise.all(nodes.map((one) => one.close())))

const open = (some: readonly RpcServer[] = nodes): ChainRpc =>
  createRpcClient({
    urls: some.map(({ url }) => url),
    lagSlots: 20,
    clock,
    changed: (place, isUp) => changes.push(`${place} ${isUp ? 'up' : 'down'}`),
  })
const height = (rpc: ChainRpc) => rpc.getBlockHeight().send()
const ADDRESS = address('SysvarC1ock11111111111111111111111111111111')
const transaction = 'AQ==' as Base64EncodedWireTransaction
const send = (rpc: ChainRpc) => rpc.sendTransaction(transaction, { encoding: 'base64' }).send()

/** Makes a node's responses wait until the returned function is called. */
function hold(node: RpcServer): () => void {
  let answerNow = () => undefined as void
  const answers = new Promise<void>((done) => (answerNow = done))
  node.held = () => answers
  return () => answerNow()
}

it('reads go to the preferred node, and transactions go to all nodes', async () => {
  const rpc = open()
  expect(await height(rpc)).toBe(1_000n)
  expect(await send(rpc)).toBe('signature')
  expect(nodes.map(({ methods }) => methods())).toEqual([
    ['getBlockHeight', 'sendTransaction'],
    ['sendTransaction'],
    ['sendTransaction'],
  ])
})

it('transactions go only to the nodes for sending, if there are such nodes', async () => {
  const [read, ...senders] = nodes
  const of = (some: readonly RpcServer[]) => ({
    ...{ urls: some.map(({ url }) => url), lagSlots: 20, clock },
    changed: (place: number, isUp: boolean) => changes.push(`${place} ${isUp ? 'up' : 'down'}`),
  })
  const rpc = createRpcClient(of([read]), of(senders))
  expect(await height(rpc)).toBe(1_000n)
  senders[0].faults.push(503)
  expect(await send(rpc)).toBe('signature')
  await expect.poll(() => changes).toEqual(['0 down'])
  expect(await send(rpc)).toBe('signature')
  await expect
    .poll(() => nodes.map(({ methods }) => methods()))
    .toEqual([
      ['getBlockHeight'],
      ['sendTransaction', 'sendTransaction'],
      ['sendTransaction', 'sendTransaction'],
    ])
  for (const one of senders) one.faults.push(...Array<number>(4).fill(503))
  await expect(send(rpc)).rejects.toThrow()
  expect(read.methods()).toEqual(['getBlockHeight'])
})

it('a node that lags is not used for reads until it has caught up', async () => {
  nodes[0].slot = 900
  const rpc = open()
  expect(await height(rpc)).toBe(1_001n)
  nodes[0].slot = 1_003
  clock.advanceMs(2_000)
  // The first caller starts a probe in the background and doesn't wait for it.
  expect(await height(rpc)).toBe(1_001n)
  await expect.poll(() => height(rpc)).toBe(1_003n)
})

it('one node cannot make two others appear to lag', async () => {
  nodes[2].slot = 900_000
  expect(await height(open())).toBe(1_000n)
})

it('a lagging node is not read even if every other node has failed', async () => {
  const rpc = open(nodes.slice(0, 2))
  nodes[1].slot = 900
  expect(await height(rpc)).toBe(1_000n)
  nodes[0].faults.push(...Array<number>(40).fill(503))
  await expect(height(rpc)).rejects.toThrow()
  expect(nodes[1].methods()).toEqual([])
})

it.each([503, 403, 429, 'refuse', 'cut', 'garbage'] as const)(
  'another node answers immediately after %s from one node',
  async (fault) => {
    const rpc = open()
    await height(rpc)
    nodes[0].faults.push(fault)
    expect(await height(rpc)).toBe(1_001n)
    expect(await height(rpc)).toBe(1_001n)
    expect(clock.slept).toEqual([])
    expect(changes).toEqual(['0 down'])
    clock.advanceMs(1_000)
    expect(await height(rpc)).toBe(1_000n)
    expect(changes).toEqual(['0 down', '0 up'])
  },
)

it.each([-32_005, -32_016])(
  'the next node is asked after error %i of an unhealthy or lagging node',
  async (code) => {
    const rpc = open()
    await height(rpc)
    nodes[0].error = { code, message: 'no' }
    expect(await height(rpc)).toBe(1_001n)
  },
)

it('a node of another cluster is never asked for anything', async () => {
  nodes[1].genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
  const rpc = open()
  await height(rpc)
  nodes[0].faults.push(503, 503)
  expect(await height(rpc)).toBe(1_002n)
  await send(rpc)
  expect(nodes[1].methods()).toEqual([])
})

it('a transaction that one node has forgotten is found on another node', async () => {
  const rpc = open()
  const find = () => rpc.getTransaction('s' as Signature, { encoding: 'json' } as never).send()
  expect(await find()).toBeNull()
  nodes[2].transaction = { slot: 7 }
  expect(await find()).toEqual({ slot: 7n })
})

it('a listing is read from another node if it is empty on a node without history', async () => {
  const rpc = open()
  const list = () => rpc.getSignaturesForAddress(ADDRESS).send() as Promise<unknown>
  expect(await list()).toEqual([])
  expect(clock.slept).toEqual([])
  nodes[2].listing = [{ signature: 'settled', slot: 7 }]
  expect(await list()).toEqual([{ signature: 'settled', slot: 7n }])
})

it('each node is asked once if nodes have forgotten the signature at which a listing ends', async () => {
  const rpc = open()
  const list = () =>
    rpc.getSignaturesForAddress(ADDRESS, { until: 's' as Signature }).send() as Promise<unknown>
  await height(rpc)
  nodes[0].error = { code: -32_020, message: 'Transaction s not found' }
  nodes[2].error = nodes[0].error
  nodes[1].listing = [{ signature: 'newer', slot: 7 }]
  expect(await list()).toEqual([{ signature: 'newer', slot: 7n }])
  nodes[1].error = nodes[0].error
  await expect(list()).rejects.toMatchObject({ context: { __code: -32_020 } })
  // A second request to a node that lacks a transaction wouldn't help.
  expect(clock.slept).toEqual([])
  expect(nodes.map(({ methods }) => methods().length)).toEqual([3, 2, 1])
  expect(changes).toEqual([])
})

it('another node is asked if a node can’t show a transaction of this version', async () => {
  const rpc = open()
  await height(rpc)
  nodes[0].error = { code: -32_015, message: 'Transaction version (1) is not supported' }
  nodes[1].transaction = { slot: 7 }
  const find = () => rpc.getTransaction('s' as Signature, { encoding: 'json' } as never).send()
  expect(await find()).toEqual({ slot: 7n })
  expect(changes).toEqual([])
})

it.each([-32_011, -32_601, -32_010, -32_004, -32_001, -32_000])(
  'another node is asked if a node refuses a method with status 200 and code %s',
  async (code) => {
    const rpc = open()
    await height(rpc)
    nodes[0].error = { code, message: 'not available from this node' }
    nodes[1].listing = [{ signature: 'settled', slot: 7 }]
    expect(await rpc.getSignaturesForAddress(ADDRESS).send()).toHaveLength(1)
    expect(changes).toEqual([])
  },
)

it('a node that refuses probes with -32429 is probed less often', async () => {
  const rpc = open()
  nodes[0].error = { code: -32_429, message: 'too many requests' }
  const rounds = 12
  for (let round = 0; round < rounds; round += 1) {
    await height(rpc)
    clock.advanceMs(2_000)
  }
  expect(nodes[0].methods()).toEqual([])
  expect(nodes[0].asked.length).toBeGreaterThan(0)
  expect(nodes[0].asked.length).toBeLessThan(rounds)
})

it('another node is asked if a node refuses to list accounts', async () => {
  const rpc = open()
  await height(rpc)
  nodes[0].error = { code: -32_600, message: 'not part of your plan' }
  await rpc.getProgramAccounts(ADDRESS, { encoding: 'base64' }).send()
  expect(nodes[1].methods()).toEqual(['getProgramAccounts'])
  expect(changes).toEqual([])
})

it('a node that forbids a slow method stays in use for all other methods', async () => {
  const rpc = open()
  await height(rpc)
  nodes[0].faults.push(403)
  await rpc.getProgramAccounts(ADDRESS, { encoding: 'base64' }).send()
  expect(nodes[1].methods()).toEqual(['getProgramAccounts'])
  expect(await height(rpc)).toBe(1_000n)
  expect(changes).toEqual([])
})

it('a node that is asked only for comparison gives no answer if it is slow, down or of another cluster', async () => {
  const urls = nodes.map(({ url }) => url)
  const { witnesses } = createRpcClients({ urls, lagSlots: 20, clock })
  nodes[2].genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
  const ask = () => Promise.allSettled(witnesses.map(height))
  const said = async () =>
    (await ask()).map((one) => (one.status === 'fulfilled' ? one.value : undefined))
  expect(await said()).toEqual([1_000n, 1_001n, undefined])
  nodes[0].faults.push('hang')
  nodes[1].faults.push(503)
  expect(await said()).toEqual([undefined, undefined, undefined])
  clock.advanceMs(1_000)
  expect(await said()).toEqual([1_000n, 1_001n, undefined])
  expect(createRpcClients({ urls: urls.slice(0, 1), lagSlots: 20, clock }).witnesses).toEqual([])
})

it('a transaction counts as accepted if one node accepts it', async () => {
  const rpc = open()
  await height(rpc)
  nodes[0].error = { code: -32_003, message: 'no' }
  nodes[1].faults.push('hang')
  expect(await send(rpc)).toBe('signature')
  expect(nodes[2].sent).toEqual(['AQ=='])
})

it('a transaction that no node accepts is refused with the error of a node', async () => {
  const rpc = open()
  await height(rpc)
  for (const node of nodes) node.error = { code: -32_003, message: 'signature' }
  await expect(send(rpc)).rejects.toMatchObject({ context: { __code: -32_003 } })
})

it('a request fails after a few rounds if all nodes are down', async () => {
  for (const node of nodes) node.faults.push(...Array<'refuse'>(40).fill('refuse'))
  await expect(height(open())).rejects.toThrow()
  expect(clock.slept).toHaveLength(3)
})

it('a node that hangs at the start does not prevent reads from another node', async () => {
  nodes[0].faults.push('hang')
  expect(await height(open())).toBe(1_001n)
})

it('a silent node is not asked again during its first request', async () => {
  nodes[0].faults.push('hang')
  expect(await height(open([nodes[0]]))).toBe(1_000n)
  // A second request during the first would have been answered before the first request failed. Then there would be no
  // change to "down".
  expect(changes).toEqual(['0 down', '0 up'])
})

it('another node is asked too if a node is silent for a second', async () => {
  const rpc = open()
  await height(rpc)
  const answerNow = hold(nodes[0])
  expect(await height(rpc)).toBe(1_001n)
  answerNow()
  expect(await height(rpc)).toBe(1_000n)
  expect(nodes.map(({ methods }) => methods().length)).toEqual([3, 1, 0])
  // If the first request had been abandoned, it would have counted as a failure.
  expect(changes).toEqual([])
})

it('a slow answer is used if the second node fails', async () => {
  const rpc = open()
  await height(rpc)
  const answerNow = hold(nodes[0])
  nodes[1].faults.push('refuse')
  const answer = height(rpc)
  await expect.poll(() => changes, { timeout: 60_000 }).toEqual(['1 down'])
  answerNow()
  expect(await answer).toBe(1_000n)
  expect(nodes[2].methods()).toEqual([])
})
