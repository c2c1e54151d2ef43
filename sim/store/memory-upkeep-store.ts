import { livesLikeBalance, noticeSecondsOf } from '../../packages/server/src/domain/balance.ts'
import { epochStartMs } from '../../packages/server/src/domain/epoch.ts'
import { isFinal, type OrderStatus } from '../../packages/server/src/domain/order-state.ts'
import type { UpkeepStore } from '../../packages/server/src/ports/settlement-store.ts'
import type { StatusNotifier } from '../../packages/server/src/adapters/store/status-notifier.ts'
import { end, liveOf, newSettlement } from './delivery-side.ts'
import {
  endHourOf,
  epochOf,
  isInTree,
  isOpen,
  statusOf,
  type MemoryDatabase,
  type MemoryOrder,
} from './memory-database.ts'
import { noticeEnd, notifyChange } from './memory-outbox.ts'

const NOTHING = new Uint8Array(0)

/**
 * True for a balance's order shortly before the balance's first note expires: in the last three days, or in the second
 * half of a short life.
 */
function isEnding(order: MemoryOrder, unixSeconds: bigint): boolean {
  const { deadline, expiry } = order
  return livesLikeBalance(order) && expiry - noticeSecondsOf(expiry - deadline) <= unixSeconds
}

/** True for a deposited order whose leaf isn't in the tree. */
const isVanished = ({ status, leafIndex }: MemoryOrder): boolean =>
  status === 'deposited' && leafIndex === undefined

/** The data of upkeep, in memory. */
export function memoryUpkeepStore(
  database: MemoryDatabase,
  notifier?: StatusNotifier,
): UpkeepStore {
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
    tryReseal: async ({ orderId, fence }, { epoch, plan, sealedTerms, sealedPlan }) => {
      const order = database.order(orderId)
      const side = order?.settlement
      if (order === undefined || side?.leaseFence !== fence || !isOpen(order)) return false
      if (liveOf(side) !== undefined) return false
      if (Buffer.compare(side.sealedPlan ?? order.sealedPlan ?? NOTHING, plan) !== 0) return false
      // The fence number continues to rise instead of starting at 0 again, so an older lease stays invalid.
      order.settlement = { ...newSettlement(side.status), leaseFence: fence + 1n }
      order.sealEpoch = epoch
      order.sealedTerms = sealedTerms
      order.sealedPlan = sealedPlan
      order.sealedResponse = NOTHING
      order.fingerprint = NOTHING
      return true
    },
    ...endings(database, notifier),
    // A worker explains leaves by their settlements only if it has a verifier of proofs. No simulated worker has one.
    readExplained: async () => ({ nextLeaf: 0, slot: 0n, ownerChanges: 0 }),
    recordExplained: async () => undefined,
    recordPaid: async () => undefined,
    forgetExplained: async () => undefined,
    listDeposits: async () => new Set(),
    listCompleteEpochs: async () => database.completeEpochs,
    writeCompleteEpochs: async (epochs) => {
      database.completeEpochs = new Set(epochs)
    },
    clearEpoch: async (epoch) => clearEpoch(database, epoch),
    // In memory, a new plan overwrites the plan that it replaces.
    forgetReplacedPlans: async () => undefined,
    dropSettled: async (givenMs) => {
      const uncleared = database.rows().filter(({ status }) => UNCLEARED.includes(status))
      const starts = uncleared.map((row) => epochStartMs(epochOf(row)))
      const beforeMs = Math.min(givenMs, ...starts)
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

/**
 * Values of `status` in a row. If a row has one of them, only its settlement state shows whether and how the order
 * ended.
 */
const UNCLEARED: readonly OrderStatus[] = ['deposited', 'delivering']

type Endings = 'listVanished' | 'tryExpireVanished' | 'listEnding' | 'tryNoticeEnd'

function endings(
  database: MemoryDatabase,
  notifier: StatusNotifier | undefined,
): Pick<UpkeepStore, Endings> {
  return {
    listVanished: async (endedBefore) =>
      [...database.orders.values()]
        .filter((order) => isVanished(order) && order.validUntil < endedBefore)
        .map(({ id: orderId, leaf, deadline }) => ({ orderId, leaf, deadline })),
    tryExpireVanished: async (orderId, nowMs) => {
      const order = database.order(orderId)
      if (order === undefined || !isVanished(order) || database.leaves.includes(order.leaf)) {
        return false
      }
      const side = order.settlement
      if (side !== undefined && isFinal(side.status)) return false
      order.status = 'expired'
      order.finalHourMs = endHourOf(nowMs, database.cursor?.unixSeconds ?? 0n)
      order.updatedAtMs = Math.max(order.updatedAtMs, order.finalHourMs)
      order.deposit = undefined
      order.isDepositSeen = false
      order.sealedPlan = undefined
      const live = liveOf(side)
      if (side !== undefined && live !== undefined) end(side, live.number, 'dead')
      order.settlement = undefined
      notifyChange(database, notifier, order, 'expired', true)
      return true
    },
    listEnding: async (unixSeconds) =>
      [...database.orders.values()]
        .filter((order) => isInTree(order) && isEnding(order, unixSeconds))
        .map(({ id: orderId, deadline, expiry }) => ({ orderId, deadline, expiry })),
    tryNoticeEnd: async ({ orderId, end: endsAt, isRenewed }, isOpen, nowMs) => {
      const order = database.order(orderId)
      if (order === undefined || !isInTree(order)) return false
      noticeEnd(database, order, { end: endsAt, isRenewed, isOpen }, nowMs)
      return true
    },
  }
}

/** @throws Error if an order of the epoch isn't final. */
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
    // The epoch's key is destroyed, so no process could read these events any more.
    if (stored.epoch === epoch) database.outbox.delete(name)
  }
  // The first answer was sealed under the order's first epoch, even if the order's other data was resealed.
  for (const order of all.filter((one) => one.epoch === epoch)) {
    order.sealedResponse = NOTHING
    order.fingerprint = NOTHING
  }
}
