import { expect, it, onTestFinished } from 'vitest'
import { createRpcClient } from '../../src/adapters/rpc/rpc-client.ts'
import { movedClock } from '../remote/no-wait-clock.ts'
import { startRpc } from '../remote/rpc-server.ts'

const DAY_MS = 86_400_000

/** Two nodes and their client. The second node shows a height that is greater by one. */
async function scene() {
  const clock = movedClock(2 * DAY_MS)
  const nodes = await Promise.all([startRpc(1_000), startRpc(1_001)])
  onTestFinished(async () => void (await Promise.all(nodes.map((one) => one.close()))))
  const rpc = createRpcClient({ urls: nodes.map(({ url }) => url), lagSlots: 20, clock })
  const height = () => rpc.getBlockHeight().send()
  expect(await height()).toBe(1_000n)
  return { clock, nodes, height }
}

it('nodes are still probed after the clock was set back', async () => {
  const { clock, nodes, height } = await scene()
  clock.advanceMs(-DAY_MS)
  nodes[1].slot = 2_000
  await expect.poll(height).toBe(2_000n)
})

it('a failed node does not rest longer after the clock was set back', async () => {
  const { clock, nodes, height } = await scene()
  nodes[0].faults.push(503)
  expect(await height()).toBe(1_001n)
  clock.advanceMs(-DAY_MS)
  expect(await height()).toBe(1_000n)
})
