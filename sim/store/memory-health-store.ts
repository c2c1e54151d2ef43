import type { HealthStore } from '../../packages/server/src/ports/settlement-store.ts'
import { statusOf, type MemoryDatabase } from './memory-database.ts'

/** Workers' findings about the health of the service, in memory. */
export function memoryHealthStore(database: MemoryDatabase): HealthStore {
  return {
    readLedger: async () => {
      const orders = [...database.orders.values()]
      const delivered = orders.filter((order) => statusOf(order) === 'delivered')
      const hours = delivered.flatMap(({ settlement }) => settlement?.finalHourMs ?? [])
      return {
        leaves: database.leaves.length,
        deposited: orders.filter(({ leafIndex }) => leafIndex !== undefined).length,
        // No run makes payments.
        payments: 0,
        unsettled: database.unsettled,
        keptByOwners: database.keptByOwners,
        writtenOff: database.writtenOff,
        areBooksAgreeing: database.areBooksAgreeing,
        lastDeliveryHourMs: hours.length === 0 ? undefined : Math.max(...hours),
      }
    },
    findLeaves: async (leaves) => {
      if (leaves.length === 0) return new Map()
      const asked = new Set(leaves)
      const places = [...database.leaves.entries()].filter(([, leaf]) => asked.has(leaf))
      return new Map(places.map(([index, leaf]) => [leaf, index]))
    },
    countPayable: async (unixSeconds) =>
      [...database.orders.values()].filter(
        ({ status, validUntil }) => status === 'awaiting_deposit' && validUntil >= unixSeconds,
      ).length,
    recordLiquidity: async (liquidity) => {
      database.liquidity = liquidity
    },
    recordBooks: async (areAgreeing) => {
      database.areBooksAgreeing = areAgreeing
    },
  }
}
