import { TIME_GRID_SECONDS } from '@sotto/protocol'
import { createSottoClient } from '../../packages/sdk/server.ts'
import { expectBalances, openingBalances } from '../soak/check-balances.ts'
import { checkPool, openingBooks } from '../soak/check-pool.ts'
import { drawOrders } from '../soak/draw-orders.ts'
import type { Ground } from '../stage/open-ground.ts'
import type { Ordered } from './customer.ts'
import { Drills } from './drill.ts'
import { killWorker } from './kill-worker.ts'
import { Load } from './load.ts'
import type { Cluster } from './open-cluster.ts'
import type { DrillName, Options } from './options.ts'
import type { Report } from './report.ts'
import { rollingRestart } from './rolling-restart.ts'
import { upgradeUnderLoad } from './upgrade-under-load.ts'

const WORK: Readonly<Record<DrillName, (drills: Drills) => Promise<void>>> = {
  restart: rollingRestart,
  migration: upgradeUnderLoad,
  kill: killWorker,
}
/** Processes that each of them replaces: so many times new orders begin. */
const STEPS: Readonly<Record<DrillName, number>> = { restart: 4, migration: 5, kill: 1 }

/** Past the expiry of every order: what is undelivered is refunded, what is unpaid expires. */
async function passExpiry(ground: Ground, placed: readonly Ordered[]): Promise<void> {
  const last = placed.reduce((max, { expiry }) => (expiry > max ? expiry : max), 0n)
  const missing = last + TIME_GRID_SECONDS + 1n - (await ground.chain.clock())
  await ground.advance(Math.max(1, Number(missing)))
}

const countBy = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** Runs the drills under load and counts everything afterwards. */
export async function runDrills(
  cluster: Cluster,
  options: Options,
  say: (text: string) => void,
): Promise<Report> {
  const { orders, seed, drill } = options
  const { ground, balancer } = cluster
  const client = createSottoClient({ baseUrl: balancer.url, apiKey: ground.setup.apiKey })
  const start = await openingBalances(ground)
  const books = await openingBooks(ground)
  const startedMs = performance.now()
  const load = new Load({ ground, client }, drawOrders(seed, orders, ground.setup.usdc), seed)
  const steps = drill.reduce((sum, one) => sum + STEPS[one], 0)
  const drills = new Drills(cluster, load, Math.ceil(orders / steps), say)
  for (const name of drill) await WORK[name](drills)
  say('waiting for the orders that are under way')
  await load.finish()
  await passExpiry(ground, load.placed)
  await load.end()
  await drills.leases.close()
  const seconds = (performance.now() - startedMs) / 1_000
  const violations = [...load.wrong, ...balancer.tally.wrong]
  for (const { name, accidents } of [...cluster.apis, ...cluster.workers]) {
    if (accidents > 0) violations.push(`${name} ended ${accidents} times by itself`)
  }
  violations.push(...(await checkPool(ground, books, load.ended)))
  const expected = await expectBalances(ground, start, load.ended)
  violations.push(...(await expected.differences(ground.chain)))
  if (load.ended.length !== orders)
    violations.push(`${load.ended.length} of ${orders} orders ended`)
  return {
    ...{ orders, seed, seconds: Math.round(seconds), steps: drills.steps, violations },
    ends: countBy(load.ended.map(({ status }) => status.status)),
    kinds: countBy(load.ended.map((one) => one.drawn.kind)),
    answers: balancer.tally.statuses,
    replicas: balancer.tally.replicas,
    latency: balancer.tally.latency,
    balances: expected.size,
  }
}
