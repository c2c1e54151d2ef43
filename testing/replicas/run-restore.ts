import { join } from 'node:path'
import { createSottoClient } from '../../packages/sdk/server.ts'
import { drawOrders } from '../soak/draw-orders.ts'
import { countUp, openAccounts } from './count-up.ts'
import { InstalledPostgres } from './installed-postgres.ts'
import { openCluster } from './open-cluster.ts'
import type { Report } from './report.ts'
import type { Options } from './options.ts'
import { QUOTE_SECONDS, RestoreDrill } from './restore-drill.ts'
import { RestoreOrders } from './restore-orders.ts'

/** The slot time of a real cluster. With it, users' transactions are valid for a minute. */
const SLOT_MS = 400
const SETTINGS = {
  SOTTO_QUOTE_SECONDS: String(QUOTE_SECONDS),
  // An hour of chain time passes before `rebuild` runs again. After that hour, orders must still be deliverable.
  SOTTO_DELIVERY_WINDOW_SECONDS: '7200',
} as const

/** Loses a database, restores it, and checks all balances afterwards. */
export async function runRestore(
  folder: string,
  { orders, seed }: Options,
  say: (text: string) => void,
): Promise<Report> {
  const postgres = await InstalledPostgres.find(folder)
  say(await postgres.version())
  const cluster = await openCluster({
    ...{ folder, slotMs: SLOT_MS, settings: SETTINGS },
    openDatabase: async (undo) => {
      await postgres.create()
      undo.push(() => postgres.destroy())
      return postgres.url
    },
  })
  try {
    const { ground, balancer } = cluster
    const client = createSottoClient({ baseUrl: balancer.url, apiKey: ground.setup.apiKey })
    const opening = await openAccounts(ground)
    const startedMs = performance.now()
    const drill = new RestoreDrill({
      ...{ cluster, postgres, say, market: { ground, client } },
      orders: new RestoreOrders(drawOrders(seed, orders, ground.setup.usdc)),
      backup: join(folder, 'postgres', 'backup'),
    })
    await drill.run()
    const seconds = Math.round((performance.now() - startedMs) / 1_000)
    const counted = await countUp(cluster, opening, drill.ended, orders)
    const violations = [...drill.wrong, ...balancer.tally.wrong, ...counted.violations]
    return { ...counted, orders, seed, seconds, steps: drill.steps, violations }
  } finally {
    await cluster.close()
  }
}
