import { lastChangeMs } from '../../../domain/last-change.ts'
import type { NewOrder, OrderStore, StoredOrder, SwapRoom } from '../../../ports/order-store.ts'
import {
  epochOf,
  keyOf,
  statusOf,
  type MemoryDatabase,
  type MemoryOrder,
} from './memory-database.ts'

/** Orders as the interface sees them, in memory. */
export function memoryOrderStore(database: MemoryDatabase): OrderStore {
  const own = (accountId: string) =>
    [...database.orders.values()].filter((order) => order.accountId === accountId)
  return {
    findReplays: async (accountId, quoteNonce, idempotencyKey) =>
      own(accountId)
        .filter(
          (order) =>
            keyOf(order.quoteNonce) === keyOf(quoteNonce) ||
            (idempotencyKey !== undefined && order.idempotencyKey === idempotencyKey),
        )
        .map((order) => ({
          id: order.id,
          epoch: order.epoch,
          quoteNonce: order.quoteNonce,
          idempotencyKey: order.idempotencyKey,
          fingerprint: order.fingerprint,
          sealedResponse: order.sealedResponse,
        })),
    tryCreate: async (order, swap) => {
      if (isTaken(database, order)) return 'taken'
      const room = swap === undefined ? 'room' : roomFor(database, order, swap)
      if (room !== 'room') return room
      database.orders.set(keyOf(order.id), insertedOf(order))
      return 'created'
    },
    readOrder: async (accountId, orderId) => {
      const order = database.order(orderId)
      if (order === undefined || order.accountId !== accountId) return undefined
      const { cursor } = database
      const followed = cursor && {
        blockHeight: cursor.blockHeight,
        unixSeconds: cursor.unixSeconds,
      }
      return { order: storedOf(order), followed }
    },
    tryRefresh: async (id, lastValidBlockHeight, nowMs) => {
      const order = database.order(id)
      if (order?.status !== 'awaiting_deposit') return false
      // The newest height counts: two refreshes may be written in either order.
      order.lastValidBlockHeight = most(order.lastValidBlockHeight, lastValidBlockHeight)
      order.updatedAtMs = nowMs
      return true
    },
    listOrders: async (accountId, limit, after) =>
      own(accountId)
        .filter((order) => after === undefined || isNewer(after, order))
        .sort((left, right) => (isNewer(left, right) ? -1 : 1))
        .slice(0, limit)
        .map(storedOf),
  }
}

const most = (left: bigint, right: bigint): bigint => (left > right ? left : right)

interface Position {
  readonly createdAtMs: number
  readonly id: Uint8Array
}

/** Whether `left` stands before `right` in a list with the newest first. */
const isNewer = (left: Position, right: Position): boolean =>
  left.createdAtMs === right.createdAtMs
    ? keyOf(left.id) > keyOf(right.id)
    : left.createdAtMs > right.createdAtMs

function isTaken(database: MemoryDatabase, order: NewOrder): boolean {
  const { accountId, idempotencyKey } = order
  const quote = keyOf(order.quoteNonce)
  return [...database.orders.values()].some(
    (other) =>
      keyOf(other.id) === keyOf(order.id) ||
      keyOf(other.quoteNonce) === quote ||
      (idempotencyKey !== undefined &&
        other.accountId === accountId &&
        other.idempotencyKey === idempotencyKey),
  )
}

function insertedOf(order: NewOrder): MemoryOrder {
  return {
    ...order,
    status: 'awaiting_deposit',
    sealEpoch: undefined,
    updatedAtMs: order.createdAtMs,
    isDepositSeen: false,
    deposit: undefined,
    leafIndex: undefined,
    sealedPlan: undefined,
    finalHourMs: undefined,
    settlement: undefined,
  }
}

/** Whether an order's swap is unpaid and can still be paid: it holds inventory back. */
export function isReserving(order: MemoryOrder, nowSeconds: bigint): boolean {
  const { status, sourceMint, destinationMint, validUntil } = order
  return status === 'awaiting_deposit' && sourceMint !== destinationMint && validUntil >= nowSeconds
}

type Swap = Pick<NewOrder, 'id' | 'accountId' | 'destinationMint' | 'amountOut'>

/** Whether a swap fits beside the others that may still be paid. */
function roomFor(
  database: MemoryDatabase,
  { id, accountId, destinationMint, amountOut }: Swap,
  { available, openSwapsMax, nowSeconds }: SwapRoom,
): 'room' | 'no_inventory' | 'too_many_open' {
  const others = [...database.orders.values()].filter(
    (order) => keyOf(order.id) !== keyOf(id) && isReserving(order, nowSeconds),
  )
  const reserved = others
    .filter((order) => order.destinationMint === destinationMint)
    .reduce((sum, order) => sum + order.amountOut, 0n)
  if (reserved + amountOut > available) return 'no_inventory'
  const open = others.filter((order) => order.accountId === accountId).length
  return open >= openSwapsMax ? 'too_many_open' : 'room'
}

function storedOf(order: MemoryOrder): StoredOrder {
  const { settlement, sealedResponse: _, leafIndex: _leaf, sealEpoch: _epoch, ...row } = order
  const { finalHourMs: _hour, ...columns } = row
  const side = order.status === 'deposited' ? settlement : undefined
  return {
    ...columns,
    epoch: epochOf(order),
    status: statusOf(order),
    updatedAtMs: lastChangeMs(order.createdAtMs, order.updatedAtMs, side?.finalHourMs),
    sealedPlan: side?.sealedPlan ?? order.sealedPlan,
    sealedOutcome: side?.sealedOutcome,
  }
}
