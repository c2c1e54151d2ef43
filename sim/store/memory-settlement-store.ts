import type { SettlementStore } from '../../packages/server/src/ports/settlement-store.ts'
import type { MemoryDatabase } from './memory-database.ts'
import { memoryFollowStore } from './memory-follow-store.ts'
import { memoryHealthStore } from './memory-health-store.ts'
import { memorySettleStore } from './memory-settle-store.ts'
import type { Teller } from '../../packages/server/src/adapters/store/teller.ts'
import { memoryUpkeepStore } from './memory-upkeep-store.ts'

/** Settlement's store in memory; without a teller it tells nobody of changes. */
export function memorySettlementStore(database: MemoryDatabase, teller?: Teller): SettlementStore {
  return {
    ...memoryFollowStore(database, teller),
    ...memorySettleStore(database, teller),
    ...memoryUpkeepStore(database),
    ...memoryHealthStore(database),
  }
}
