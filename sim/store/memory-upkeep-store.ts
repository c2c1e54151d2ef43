import { isFinal } from '../../packages/server/src/domain/order-state.ts'
import type { UpkeepStore } from '../../packages/server/src/ports/settlement-store.ts'
import { epochOf, isOpen, statusOf, type MemoryDatabase } from './memory-database.ts'
import { liveOf, newSettlement } from './delivery-side.ts'

const NOTHING = new Uint8Array(0)

/** The data of upkeep, in memory. */
export function memoryUpkeepStore(database: MemoryDatabase): UpkeepStore {
  const sealedUnder = (epoch: number) => database.rows().filter((row) => epochOf(row) === epoch)
  return {
    halt: async (reason) => {
      if (database.cursor !== undefined) database.cursor.halted ??= reason
    },
    readEpochEnd: async (epoch) => {
      let latest: number | 'empty' = 'empty'
      for (const order of sealedUnder(epoch)) {
        const end = order.finalHourMs ?? order.settlement?.finalHourMs
        if (end === undefined) return 'open'
        if (latest === 'empty' || end > latest) latest = end
      }
      return latest
    },
    tryReseal: async ({ orderId, fence }, { epoch, sealedTerms, sealedPlan }) => {
      const order = database.order(orderId)
      const side = order?.settlement
      if (order === undefined || side?.leaseFence !== fence || !isOpen(order)) return false
      if (liveOf(side) !== undefined) return false
      // The fence isn't reset, so an older lease no longer matches.
      order.settlement = { ...newSettlement(side.status), leaseFence: fence + 1n }
      order.sealEpoch = epoch
      order.sealedTerms = sealedTerms
      order.sealedPlan = sealedPlan
      order.sealedResponse = NOTHING
      order.fingerprint = NOTHING
      return true
    },
    listCompleteEpochs: async () => database.completeEpochs,
    writeCompleteEpochs: async (epochs) => {
      database.completeEpochs = new Set(epochs)
    },
    clearEpoch: async (epoch) => clearEpoch(database, epoch),
    dropSettled: async (beforeMs) => {
      for (const order of database.rows()) {
        const end = order.settlement?.finalHourMs
        if (end !== undefined && end < beforeMs) order.settlement = undefined
      }
      for (const [name, { hourMs }] of database.outbox) {
        if (hourMs < beforeMs) database.outbox.delete(name)
      }
    },
  }
}

/** @throws Error if one of its orders isn't final. */
function clearEpoch(database: MemoryDatabase, epoch: number): void {
  const all = database.rows()
  const sealed = all.filter((order) => epochOf(order) === epoch)
  if (sealed.some((order) => !isFinal(statusOf(order)))) {
    throw new Error("an epoch with open orders can't be cleared")
  }
  const hours = sealed.map((order) => order.finalHourMs ?? order.settlement?.finalHourMs ?? 0)
  const latest = Math.max(0, ...hours)
  for (const order of sealed) {
    order.status = statusOf(order)
    order.finalHourMs = latest
    order.updatedAtMs = latest
    order.sealedTerms = NOTHING
    order.sealedPlan = undefined
  }
  for (const [name, stored] of database.outbox) {
    // The row is deleted later, but its content can't be opened any more.
    if (stored.epoch === epoch) database.outbox.delete(name)
  }
  // The first answer was sealed under the order's own epoch, even if the rest was resealed.
  for (const order of all.filter((one) => one.epoch === epoch)) {
    order.sealedResponse = NOTHING
    order.fingerprint = NOTHING
  }
}
