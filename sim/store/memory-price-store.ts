import type { PriceStore } from '../../packages/server/src/ports/price-store.ts'
import type { MemoryDatabase } from './memory-database.ts'

/** The price of all transactions, in memory. */
export function memoryPriceStore(database: MemoryDatabase): PriceStore {
  return {
    readPrice: async () => database.price,
    tryReplacePrice: async (before, next) => {
      const { price } = database
      if (price?.hour !== before?.hour || price?.step !== before?.step) return false
      database.price = next
      database.priceReadings += 1
      return true
    },
    raisePrice: async (step) => {
      const { hour = 0, step: now = 0 } = database.price ?? {}
      database.price = { hour, step: Math.max(now, step) }
    },
  }
}
