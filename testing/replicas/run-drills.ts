import { TIME_GRID_SECONDS } from '@sotto/protocol'
import { createSottoClient } from '../../packages/sdk/server.ts'
import { drawOrders } from '../soak/draw-orders.ts'
import type { Ground } from '../stage/open-ground.ts'
import { countUp, openAccounts } from './count-up.ts'
import type { Ordered } from './customer.ts'
import { Drills } from './drill.ts'
import { killWorker } from './kill-worker.ts'
import { Load } from './load.ts'
import type { Cluster } from './open-cluster.ts'
import type { LiveDrill, Options } from './options.ts'
import type { Report } from './report.ts'
import { rollingRestart } from './rolling-restart.ts'
import { upgradeUnderLoad } from './upgrade-under-load.ts'

const WORK: Readonly<Record<LiveDrill, (drills: Drills) => Promise<void>>> = {
  restart: rollingRestart,
  migration: upgradeUnderLoad,
  kill: killWorker,
}
/** The number of processes that each drill replaces. The drill starts new orders this many times. */
const STEPS: Readonly<Record<LiveDrill, number>> = { restart: 4, migration: 5, kill: 1 }

/** Advances the time past every order's expiry, so that undelivered orders are refunded and unpaid orders expire. */
async function passExpiry(ground: Ground, placed: readonly Ordered[]): Promise<void> {
  const last = placed.reduce((max, { expiry }) => (expiry > max ? expiry : max), 0n)
  const missing = last + TIME_GRID_SECONDS + 1n - (await ground.chain.clock())
  await ground.advance(Math.max(1, Number(missing)))
}

/** Runs the drills under load, and checks all balances afterwards. */
export async function runDrills(
  cluster: Cluster,
  options: Options,
  say: (text: string) => void,
): Promise<Report> {
  const { orders, seed } = options
  const drill = options.drill.filter((one) => one !== 'restore')
  const { ground, balancer } = cluster
  const client = createSottoClient({ baseUrl: balancer.url, apiKey: ground.setup.apiKey })
  const opening = await openAccounts(ground)
  const startedMs = performance.now()
  const load = new Load({ ground, client }, drawOrders(seed, orders, ground.setup.usdc), seed)
  const steps = drill.reduce((sum, one) => sum + STEPS[one], 0)
  const drills = new Drills(cluster, load, Math.max(1, Math.floor(orders / steps)), say)
  for (const name of drill) await WORK[name](drills)
  say('waiting for the open orders')
  await load.finish()
  await passExpiry(ground, load.placed)
  await load.end()
  await drills.leases.close()
  const seconds = (performance.now() - startedMs) / 1_000
  const counted = await countUp(cluster, opening, load.ended, orders)
  const violations = [...load.wrong, ...balancer.tally.wrong, ...counted.violations]
  return { ...counted, orders, seed, seconds: Math.round(seconds), steps: drills.steps, violations }
}
