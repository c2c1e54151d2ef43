import { afterEach, beforeEach, expect, it } from 'vitest'
import { createRpcClient } from '../../src/adapters/rpc/rpc-client.ts'
import type { Cluster } from '../../src/adapters/rpc/rpc-nodes.ts'
import type { NodeStanding } from '../../src/adapters/rpc/rpc-observer.ts'
import { movedClock, type MovedClock } from '../remote/no-wait-clock.ts'
import { startRpc, type RpcServer } from '../remote/rpc-server.ts'

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

let clock: MovedClock
let nodes: [RpcServer, RpcServer, RpcServer]
let events: string[]
let standings: () => readonly NodeStanding[]
beforeEach(async () => {
  clock = movedClock(1_000_000)
  // The slots of another cluster may be far ahead.
  nodes = await Promise.all([startRpc(1_000), startRpc(9_000_000), startRpc(1_002)])
  nodes[1].genesis = MAINNET
  events = []
})
afterEach(() => Promise.all(nodes.map((one) => one.close())))

function open(cluster?: Cluster) {
  const rpc = createRpcClient({
    ...{ urls: nodes.map(({ url }) => url), lagSlots: 20, clock },
    ...(cluster === undefined ? {} : { cluster }),
    changed: (place, isUp) => events.push(`${place} ${isUp ? 'up' : 'down'}`),
    foreign: (place) => events.push(`${place} foreign`),
    observer: {
      around: (_, ask) => ask(),
      tried: () => undefined,
      watch: (read) => (standings = read),
    },
  })
  const read = async () => {
    await rpc.getBlockHeight().send()
    clock.advanceMs(2_000)
  }
  return read
}

const stood = () => standings().map(({ isUp, lagSlots }) => [isUp, lagSlots])

it('a node of another cluster is reported once, counts as down and does not make others lag', async () => {
  const read = open()
  for (let round = 0; round < 3; round += 1) await read()
  expect(events).toEqual(['1 foreign'])
  expect(stood()).toEqual([
    [true, 2],
    [false, undefined],
    [true, 0],
  ])
})

it('a node that is down at the start is reported as soon as it shows another cluster', async () => {
  nodes[1].faults.push(503)
  const read = open()
  await read()
  expect(events).toEqual(['1 down'])
  await read()
  await expect.poll(() => events).toEqual(['1 down', '1 foreign'])
  nodes[1].faults.push(503)
  await read()
  await read()
  await expect.poll(() => nodes[1].faults).toEqual([])
  expect(events).toEqual(['1 down', '1 foreign'])
  expect(stood()[1]).toEqual([false, undefined])
})

it('a node that returns to the cluster is used again', async () => {
  const read = open()
  await read()
  Object.assign(nodes[1], { genesis: nodes[0].genesis, slot: 1_001 })
  await read()
  await expect.poll(() => events).toEqual(['1 foreign', '1 up'])
  await expect.poll(stood).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
  ])
  nodes[0].faults.push(503)
  await read()
  expect(nodes[1].methods()).toEqual(['getBlockHeight'])
})

it('the known cluster, not the first node that answers, decides which nodes belong to another cluster', async () => {
  const cluster: Cluster = { genesis: undefined }
  const read = open(cluster)
  await read()
  expect(nodes[0].methods()).toEqual(['getBlockHeight'])
  cluster.genesis = MAINNET
  await read()
  expect(nodes[1].methods()).toEqual(['getBlockHeight'])
  await expect.poll(stood).toEqual([
    [false, undefined],
    [true, 0],
    [false, undefined],
  ])
  await read()
  expect(nodes[0].methods()).toEqual(['getBlockHeight'])
})
