import type { SettlementStore } from '../../../ports/settlement-store.ts'
import type { MemoryDatabase } from './memory-database.ts'
import { memoryFollowStore } from './memory-follow-store.ts'
import { memoryHealthStore } from './memory-health-store.ts'
import { memorySettleStore } from './memory-settle-store.ts'
import { memoryUpkeepStore } from './memory-upkeep-store.ts'

/** Settlement's store in memory. */
export function memorySettlementStore(database: MemoryDatabase): SettlementStore {
  return {
    ...memoryFollowStore(database),
    ...memorySettleStore(database),
    ...memoryUpkeepStore(database),
    ...memoryHealthStore(database),
  }
}
