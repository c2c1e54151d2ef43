import { unixSeconds } from '@sotto/protocol'
import type {
  AwaitingOrder,
  FollowStore,
} from '../../packages/server/src/ports/settlement-store.ts'
import { keyOf, type MemoryDatabase, type MemoryOrder } from './memory-database.ts'
import type { StatusNotifier } from '../../packages/server/src/adapters/store/status-notifier.ts'
import { recordStep } from './record-step.ts'

/** The chain follower's state, in memory. */
export function memoryFollowStore(
  database: MemoryDatabase,
  notifier?: StatusNotifier,
): FollowStore {
  const awaiting = (): MemoryOrder[] =>
    [...database.orders.values()].filter(({ status }) => status === 'awaiting_deposit')
  return {
    openCursor: async (program, domain) => {
      database.cursor ??= {
        ...{ program, domain: keyOf(domain), nextLeaf: 0n, halted: undefined },
        ...{ followedAtMs: undefined, slot: 0n, blockHeight: 0n, unixSeconds: unixSeconds(0n) },
      }
      const { cursor } = database
      if (cursor.program !== program || cursor.domain !== keyOf(domain)) {
        throw new Error('the database belongs to another pool')
      }
    },
    readCursor: async () => {
      const { cursor } = database
      if (cursor === undefined) throw new Error('the database has no chain cursor')
      const { nextLeaf, slot, followedAtMs } = cursor
      return { nextLeaf, slot, unixSeconds: cursor.unixSeconds, followedAtMs }
    },
    readLeaves: async (from, countMax) => database.leaves.slice(from, countMax && from + countMax),
    readAwaiting: async (leaves) => {
      const asked = new Set(leaves)
      return awaiting()
        .filter(({ leaf }) => asked.has(leaf))
        .map(awaitingOf)
    },
    listArrived: async (unixSeconds) =>
      awaiting()
        .filter(({ validUntil }) => validUntil < unixSeconds)
        .flatMap((order) => {
          const leafIndex = database.indexOf(order.leaf)
          return leafIndex === undefined ? [] : [{ ...awaitingOf(order), leafIndex }]
        }),
    tryRecord: async (batch, nowMs) => recordStep(database, batch, nowMs, notifier),
    markSeen: async (leaves, nowMs) => {
      const seen = new Set(leaves)
      for (const order of awaiting()) {
        if (!seen.has(order.leaf) || order.isDepositSeen) continue
        order.isDepositSeen = true
        order.updatedAtMs = nowMs
      }
    },
    listSeen: async () => awaiting().flatMap((one) => (one.isDepositSeen ? [one.leaf] : [])),
    clearSeen: async (leaves, nowMs) => clearSeen(database, awaiting(), leaves, nowMs),
    listUnlocated: async (limit) =>
      [...database.orders.values()]
        .filter(({ status, deposit }) => status === 'deposited' && deposit?.signature === undefined)
        .sort((left, right) => (right.leafIndex ?? 0) - (left.leafIndex ?? 0))
        .slice(0, limit)
        .map(({ id }) => id),
    recordLocated: async (orderId, found) => {
      const order = database.order(orderId)
      if (order?.status !== 'deposited' || order.deposit?.signature !== undefined) return
      const { signature, slot } = found
      const least = BigInt(Math.floor(order.createdAtMs / 1_000)) - 300n
      const claimed = found.unixSeconds > least ? found.unixSeconds : unixSeconds(least)
      const recorded = order.deposit?.unixSeconds ?? claimed
      order.deposit = { signature, slot, unixSeconds: claimed < recorded ? claimed : recorded }
    },
  }
}

function awaitingOf(order: MemoryOrder): AwaitingOrder {
  const { id: orderId, epoch, deadline, expiry, leaf, sealedTerms } = order
  return { orderId, epoch, deadline, expiry, leaf, sealedTerms }
}

function clearSeen(
  database: MemoryDatabase,
  awaiting: readonly MemoryOrder[],
  leaves: readonly bigint[],
  nowMs: number,
): void {
  for (const order of awaiting) {
    const isDropped = leaves.includes(order.leaf) && database.indexOf(order.leaf) === undefined
    if (!isDropped || !order.isDepositSeen) continue
    order.isDepositSeen = false
    order.updatedAtMs = nowMs
  }
}
