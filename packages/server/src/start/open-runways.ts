import { readInventories } from '../adapters/chain/transfer/read-inventories.ts'
import { systemClock } from '../adapters/clock/system-clock.ts'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import { sqlInventoryStore } from '../adapters/store/inventory-store.ts'
import type { Sql } from '../adapters/store/sql.ts'
import type { Config } from '../config.ts'
import { runwayReader } from '../usecases/market/read-runways.ts'

/** Creates a function that reads how long each inventory will last. */
export const openRunways = (config: Config, database: Sql, rpc: ChainRpc) =>
  runwayReader({
    store: sqlInventoryStore(database),
    readInventories: (mints) => readInventories(rpc, config.PROGRAM_ID, mints),
    clock: systemClock,
  })
