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
  return {
    openCursor: async (program, domain) => {
      database.cursor ??= {
        ...{ program, domain: keyOf(domain), lastSignature: undefined, halted: undefined },
        ...{ followedAtMs: undefined, slot: 0n, blockHeight: 0n, unixSeconds: 0n },
      }
      const { cursor } = database
      if (cursor.program !== program || cursor.domain !== keyOf(domain)) {
        throw new Error('the database belongs to another pool')
      }
    },
    readCursor: async () => {
      const { cursor } = database
      if (cursor === undefined) throw new Error('the database has no chain cursor')
      const { lastSignature, slot, unixSeconds } = cursor
      return { lastSignature, slot, unixSeconds }
    },
    readLeaves: async (from) => {
      const leaves: bigint[] = []
      for (;;) {
        const next = database.leaves.get(from + leaves.length)
        if (next === undefined) return leaves
        leaves.push(next.leaf)
      }
    },
    readKnownLeaves: async (orderIds, below = Number.MAX_SAFE_INTEGER) => {
      const ids = new Set(orderIds.map(keyOf))
      return [...database.leaves.values()]
        .filter(({ index, orderId }) => index < below && ids.has(keyOf(orderId)))
        .map(({ orderId, slot }) => ({ orderId, slot }))
    },
    readLeafSlot: async (index) => {
      const leaf = database.leaves.get(index)
      if (leaf === undefined) throw new Error('the leaf is not stored')
      return leaf.slot
    },
    listDisputed: async (unixSeconds) =>
      [...database.leaves.values()].flatMap(
        ({ orderId, leaf, index: leafIndex, slot: leafSlot }) => {
          const order = database.order(orderId)
          const isOverdue = order?.status === 'awaiting_deposit' && order.validUntil < unixSeconds
          const isDisputed = order !== undefined && isOverdue
          return isDisputed ? [{ ...awaitingOf(order), leaf, leafIndex, leafSlot }] : []
        },
      ),
    readAwaiting: async (orderIds) =>
      orderIds
        .flatMap((id) => database.order(id) ?? [])
        .filter(({ status }) => status === 'awaiting_deposit')
        .map(awaitingOf),
    tryRecord: async (batch, nowMs) => recordStep(database, batch, nowMs, notifier),
    listUnseen: async (limit) => unseenOf(database).slice(0, limit),
    markSeen: async (orderIds, nowMs) => {
      for (const id of orderIds) {
        const order = database.order(id)
        if (order?.status !== 'awaiting_deposit' || order.isDepositSeen) continue
        order.isDepositSeen = true
        order.updatedAtMs = nowMs
      }
    },
  }
}

function awaitingOf(order: MemoryOrder): AwaitingOrder {
  const { id: orderId, epoch, sender, sourceMint, destinationMint, amountIn, amountOut } = order
  const { fee, partnerFee, deadline, expiry, inner, sealedTerms } = order
  return {
    ...{ orderId, epoch, sender, sourceMint, destinationMint, amountIn, amountOut },
    ...{ fee, partnerFee, deadline, expiry, inner, sealedTerms },
  }
}

/** Takes turns: the newest of each account or network first. */
function unseenOf(database: MemoryDatabase): Uint8Array[] {
  const turns = new Map<string, number>()
  return [...database.orders.values()]
    .filter(({ status, isDepositSeen }) => status === 'awaiting_deposit' && !isDepositSeen)
    .sort((left, right) => right.createdAtMs - left.createdAtMs)
    .map(({ id, accountId, network }) => {
      const name = `${accountId} ${network === undefined ? '' : keyOf(network)}`
      const turn = turns.get(name) ?? 0
      turns.set(name, turn + 1)
      return { id, turn }
    })
    .sort((left, right) => left.turn - right.turn)
    .map(({ id }) => id)
}
