import { lastChangeMs } from '../../packages/server/src/domain/last-change.ts'
import type {
  NewOrder,
  OrderRoom,
  OrderStore,
  StoredOrder,
} from '../../packages/server/src/ports/order-store.ts'
import {
  holdsPlace,
  isAwaiting,
  isOfSameNetwork,
  isRequestTaken,
  memoryPaymentStore,
  storedPaymentOf,
} from './memory-payment-store.ts'
import {
  epochOf,
  keyOf,
  statusOf,
  type MemoryDatabase,
  type MemoryOrder,
} from './memory-database.ts'

/** Orders for the HTTP interface, in memory. */
export function memoryOrderStore(database: MemoryDatabase): OrderStore {
  const own = (accountId: string) =>
    database.rows().filter((order) => order.accountId === accountId)
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
    tryCreate: async (order, bounds) => {
      if (isTaken(database, order)) return 'taken'
      const room = bounds === undefined ? 'room' : roomFor(database, order, bounds)
      if (room !== 'room') return room
      database.orders.set(keyOf(order.id), insertedOf(order))
      return 'created'
    },
    ...memoryPaymentStore(database),
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
      // The service may write a newer refresh before an older refresh, so the highest block height is kept.
      order.lastValidBlockHeight = most(order.lastValidBlockHeight, lastValidBlockHeight)
      order.updatedAtMs = nowMs
      return true
    },
    listOrders: async (accountId, limit, after) =>
      own(accountId)
        .filter((order) => after === undefined || isNewer(after, order))
        .sort((left, right) => (isNewer(left, right) ? -1 : 1))
        .slice(0, limit)
        .map((row) => ('leaf' in row ? storedOf(row) : storedPaymentOf(row))),
  }
}

const most = (left: bigint, right: bigint): bigint => (left > right ? left : right)

interface Position {
  readonly createdAtMs: number
  readonly id: Uint8Array
}

/** True if `left` comes before `right` in a list that starts with the newest entry. */
const isNewer = (left: Position, right: Position): boolean =>
  left.createdAtMs === right.createdAtMs
    ? keyOf(left.id) > keyOf(right.id)
    : left.createdAtMs > right.createdAtMs

function isTaken(database: MemoryDatabase, order: NewOrder): boolean {
  return (
    isRequestTaken(database, order) ||
    [...database.orders.values()].some(({ leaf }) => leaf === order.leaf)
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

/** True if an order or a payment isn't paid yet and can still be paid. */
export const isUnpaid = (
  row: Pick<MemoryOrder, 'status' | 'validUntil'>,
  nowSeconds: bigint,
): boolean => isAwaiting(row) && row.validUntil >= nowSeconds

/** True if an order is a swap that isn't paid yet and can still be paid. Such a swap reserves inventory. */
export const isReserving = (order: MemoryOrder, nowSeconds: bigint): boolean =>
  isUnpaid(order, nowSeconds) && order.sourceMint !== order.destinationMint

/** Checks whether the limits allow one more order, in addition to the other orders that may still be paid. */
function roomFor(
  database: MemoryDatabase,
  order: NewOrder,
  { ordersMax, endedBefore, swap }: OrderRoom,
): 'room' | 'no_inventory' | 'too_many_swaps' | 'too_many_unpaid' {
  const all = [...database.orders.values()]
  const isOwn = (other: MemoryOrder) => other.accountId === order.accountId
  const isNear = (other: MemoryOrder) => isOfSameNetwork(other, order)
  const unpaid = database
    .rows()
    .filter((other) => holdsPlace(other, endedBefore) && isOfSameNetwork(other, order))
  if (unpaid.length >= ordersMax) return 'too_many_unpaid'
  if (swap === undefined) return 'room'
  const swaps = all.filter((other) => isReserving(other, swap.nowSeconds))
  const reserved = (by: (other: MemoryOrder) => boolean) =>
    swaps
      .filter((other) => other.destinationMint === order.destinationMint && by(other))
      .reduce<bigint>((sum, { value }) => sum + value, order.value)
  if (reserved(() => true) > swap.available) return 'no_inventory'
  if (reserved(isOwn) > swap.accountMax) return 'no_inventory'
  if (order.network !== undefined && reserved(isNear) > swap.networkMax) return 'no_inventory'
  return swaps.filter(isNear).length >= swap.openSwapsMax ? 'too_many_swaps' : 'room'
}

function storedOf(order: MemoryOrder): StoredOrder {
  const { settlement, sealedResponse: _, leafIndex: _leaf, sealEpoch: _epoch, ...row } = order
  const { finalHourMs: _hour, network: _network, ...columns } = row
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
