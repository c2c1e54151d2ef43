import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openGround, type Ground } from './open-ground.ts'
import { sendUnder } from './send-under-fault.ts'

/**
 * Maximum number of requests that an idle service may send to its node in `WINDOW_MS`. Many public nodes allow this
 * many requests of a single method in this time.
 */
const REQUESTS_MAX = 40
const WINDOW_MS = 10_000
/** Number of consecutive windows of `WINDOW_MS` that must stay within the maximum. */
const HELD = 3
/**
 * Number of windows after the start in which the service must become idle. During its first minute, a service expects
 * work and sends more requests.
 */
const WINDOWS = 14

/** A cluster's slot time. On a faster chain, the service catches up all the time: see `boundedHead`. */
const SLOT_MS = 400

let ground: Ground
beforeAll(async () => {
  ground = await openGround(SLOT_MS)
})
afterAll(() => ground?.close())

it('an idle service sends its node at most 40 requests in ten seconds', async () => {
  // After these transfers, the tree has leaves, and the service reads the newest leaf each time it polls.
  const { statuses } = await sendUnder(ground, () => ground.serve(1), { faults: [] })
  expect(statuses).toEqual(['delivered', 'delivered'])
  await ground.serve(1, true)
  const [node] = ground.nodes
  const sums: number[] = []
  const held = () => sums.slice(-HELD).every((sum) => sum <= REQUESTS_MAX)
  for (let window = 0; window < WINDOWS && (window < HELD || !held()); window += 1) {
    const before = new Map(node.asked())
    await sleep(WINDOW_MS)
    const asked = [...node.asked()].map(([method, count]) => count - (before.get(method) ?? 0))
    sums.push(asked.reduce((all, one) => all + one, 0))
  }
  expect(Math.min(...sums.slice(-HELD))).toBeGreaterThan(0)
  expect(held(), `requests in each ten seconds: ${sums.join(', ')}`).toBe(true)
})
