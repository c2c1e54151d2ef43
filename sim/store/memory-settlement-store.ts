import type { SettlementStore } from '../../packages/server/src/ports/settlement-store.ts'
import type { MemoryDatabase } from './memory-database.ts'
import { memoryFollowStore } from './memory-follow-store.ts'
import { memoryHealthStore } from './memory-health-store.ts'
import { memoryPriceStore } from './memory-price-store.ts'
import { memoryPayStore } from './memory-pay-store.ts'
import type { StatusNotifier } from '../../packages/server/src/adapters/store/status-notifier.ts'
import { memoryUpkeepStore } from './memory-upkeep-store.ts'

/** Settlement's store in memory. Without a notifier, it announces no status changes. */
export function memorySettlementStore(
  database: MemoryDatabase,
  notifier?: StatusNotifier,
): SettlementStore {
  return {
    ...memoryFollowStore(database, notifier),
    ...memoryPayStore(database, notifier),
    ...memoryUpkeepStore(database, notifier),
    ...memoryHealthStore(database),
    ...memoryPriceStore(database),
  }
}
