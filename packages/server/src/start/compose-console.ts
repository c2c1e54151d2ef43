import type { ReadPoolMints } from '../adapters/chain/settlement/pool-mints.ts'
import { readBooks } from '../adapters/chain/settlement/read-books.ts'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import { sqlOverviewStore } from '../adapters/store/overview-store.ts'
import type { Sql } from '../adapters/store/sql.ts'
import type { Config, Role } from '../config.ts'
import { serveConsole, type ConsoleHandler } from '../http/console/serve-console.ts'
import type { Clock } from '../ports/clock.ts'
import type { Runway } from '../ports/inventory-store.ts'
import type { MaybePromise } from '../ports/maybe-promise.ts'
import type { Random } from '../ports/random.ts'
import type { ServiceLog } from '../ports/service-log.ts'
import type { SettlementReport } from '../ports/settlement-gauges.ts'
import type { TroubleList } from '../ports/trouble-list.ts'
import { overviewReader, readAnonymitySeries } from '../usecases/market/read-overview.ts'
import { builtPage } from './compose-pages.ts'
import { requirePool } from './require-pool.ts'

export interface ConsoleParts {
  readonly config: Config
  readonly roles: readonly Role[]
  readonly token: string
  readonly database: Sql
  readonly rpc: ChainRpc
  readonly mints: ReadPoolMints
  readonly clock: Clock
  readonly random: Random
  readonly log: Pick<ServiceLog, 'failed'>
  readonly settlement: () => SettlementReport | undefined
  readonly readRunways: () => MaybePromise<readonly Runway[]>
  readonly troubles: TroubleList
}

/** Creates the operator's console. Returns undefined if the console's page was not built. */
export function composeConsole(parts: ConsoleParts): ConsoleHandler | undefined {
  const { config, roles, token, database, rpc, clock, random, log, settlement, troubles } = parts
  const files = builtPage(config, 'console')
  if (files === undefined) return undefined
  const store = sqlOverviewStore(database)
  return serveConsole({
    ...{ files, token, clock, random, log },
    readOverview: overviewReader({
      ...{ store, clock, settlement, troubles, readRunways: parts.readRunways },
      unfollowedSeconds: config.UNFOLLOWED_SECONDS,
      about: { cluster: config.CLUSTER, roles },
      readBooks: async () => {
        const pool = await requirePool(rpc, config.PROGRAM_ID)
        const { mints } = await parts.mints()
        return readBooks(rpc, config.PROGRAM_ID, pool.tree, mints)
      },
    }),
    readAnonymitySeries: (range) => readAnonymitySeries({ store }, range),
  })
}
