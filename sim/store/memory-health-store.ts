import type { HealthStore } from '../../packages/server/src/ports/settlement-store.ts'
import { statusOf, type MemoryDatabase } from './memory-database.ts'
import { isUnpaid } from './memory-order-store.ts'

/** Workers' findings about the health of the service, in memory. */
export function memoryHealthStore(database: MemoryDatabase): HealthStore {
  return {
    readLedger: async () => {
      const orders = [...database.orders.values()]
      const delivered = database.rows().filter((row) => statusOf(row) === 'delivered')
      const hours = delivered.flatMap(({ settlement }) => settlement?.finalHourMs ?? [])
      return {
        leaves: database.leaves.length,
        deposited: orders.filter(({ leafIndex }) => leafIndex !== undefined).length,
        payments: database.paymentsLanded,
        unsettled: database.unsettled,
        ownerChanges: 0,
        keptByOwners: new Map(database.keptByOwners),
        writtenOff: database.writtenOff,
        areBooksAgreeing: database.areBooksAgreeing,
        lastDeliveryHourMs: hours.length === 0 ? undefined : Math.max(...hours),
      }
    },
    findLeaves: async (leaves) => {
      const deposits = new Set<number>()
      const places = new Map<bigint, number>()
      for (const leaf of leaves) {
        const last = database.lastIndexOf(leaf)
        if (last === undefined) continue
        if (deposits.size === 0) {
          for (const { leafIndex = -1 } of database.orders.values()) deposits.add(leafIndex)
        }
        let index = last
        while (index >= 0 && (deposits.has(index) || database.leaves[index] !== leaf)) index -= 1
        if (index >= 0) places.set(leaf, index)
      }
      return places
    },
    countPayable: async (unixSeconds) =>
      database.rows().filter((row) => isUnpaid(row, unixSeconds)).length,
    recordLiquidity: async (liquidity) => {
      database.liquidity = liquidity
    },
    recordProvers: async (report) => {
      database.provers.set(report.worker, report)
    },
    recordBooks: async (areAgreeing) => {
      database.areBooksAgreeing = areAgreeing
    },
  }
}
