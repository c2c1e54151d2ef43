import { afterEach, beforeEach, expect, it } from 'vitest'
import { sharedPaces } from '../../src/adapters/rpc/paces.ts'
import { createRpcClient, type ChainRpc } from '../../src/adapters/rpc/rpc-client.ts'
import { movedClock, type MovedClock } from '../remote/no-wait-clock.ts'
import { startRpc, type RpcServer } from '../remote/rpc-server.ts'

const DAY_MS = 86_400_000

let clock: MovedClock
let nodes: [RpcServer, RpcServer]
let rpc: ChainRpc
beforeEach(async () => {
  clock = movedClock(2 * DAY_MS)
  nodes = await Promise.all([startRpc(1_000), startRpc(1_001)])
  // The paces of requests have their own clock, which is never set back.
  const paceOf = sharedPaces(movedClock(0))
  rpc = createRpcClient({ urls: nodes.map(({ url }) => url), lagSlots: 20, clock, paceOf })
})
afterEach(() => Promise.all(nodes.map((one) => one.close())))

const height = () => rpc.getBlockHeight().send()

it('nodes are still probed after the clock was set back', async () => {
  expect(await height()).toBe(1_000n)
  clock.advanceMs(-DAY_MS)
  nodes[1].slot = 2_000
  await expect.poll(height).toBe(2_000n)
})

it('a failed node does not rest longer after the clock was set back', async () => {
  expect(await height()).toBe(1_000n)
  nodes[0].faults.push(503)
  expect(await height()).toBe(1_001n)
  clock.advanceMs(-DAY_MS)
  expect(await height()).toBe(1_000n)
})
