import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { earlierClock, KNOWN_FAULTS } from './known-faults.ts'
import type { Misdeed } from './node-proxy.ts'
import { openGround, type Ground } from './open-ground.ts'
import { booksAtOf } from './read-metrics.ts'
import { sendUnder, shownBy } from './send-under-fault.ts'

/** The percentage of requests that fail in each of the known ways. */
const PERCENT_EACH = 1

/**
 * The names of faults that this test omits. A node without history makes transfers wait, and a node with a request
 * limit slows all transfers down.
 */
const APART = /pruned|429/

let ground: Ground
beforeAll(async () => {
  ground = await openGround()
})
afterAll(() => ground?.close())

it('delivers two transfers exactly once while requests fail at random', async () => {
  const known = KNOWN_FAULTS.filter(({ nodes, name }) => nodes === 1 && !APART.test(name))
  const all = known.flatMap(({ faults }) => faults)
  const faults = all.map((one) => ({ ...one, percent: PERCENT_EACH }))
  const outcome = await sendUnder(ground, () => ground.serve(1), { faults })
  expect(shownBy(outcome)).toMatchObject({
    ...{ statuses: ['delivered', 'delivered'], paid: outcome.owed },
    ...{ isSuffered: true, tries: 'failed', alerts: [] },
  })
})

/** Waits until the service's reason for not being ready matches the pattern. Returns the reason. */
async function unready(pattern: RegExp): Promise<string> {
  for (;;) {
    const reason = await ground.unreadyBecause()
    if (pattern.test(reason)) return reason
    await sleep(200)
  }
}

it('the service is not ready while its only node lags the chain by ten minutes', async () => {
  const [node] = ground.nodes
  const misdeed: Misdeed = { kind: 'change', result: earlierClock(600n) }
  node.suffer({ misdeed, methods: ['getMultipleAccounts'] })
  try {
    await ground.serve(1)
    await unready(/^the newest block that the workers' nodes show is minutes old/)
    expect(await ground.metrics()).toMatch(/^sotto_new_orders_open 0$/m)
  } finally {
    node.suffer()
  }
  await unready(/^$/)
})

it.each<Misdeed>([
  { kind: 'status', status: 403 },
  { kind: 'error', code: -32_600, message: 'this method is not part of your plan' },
])('compares the books although a node refuses to list accounts: $kind', async (misdeed) => {
  const [node] = ground.nodes
  node.suffer({ misdeed, methods: ['getProgramAccounts'] })
  try {
    await ground.serve(1)
    const before = booksAtOf(await ground.metrics())
    while (booksAtOf(await ground.metrics()) <= before) await sleep(200)
    expect(node.misdeeds()).toBeGreaterThan(0)
  } finally {
    node.suffer()
  }
})
