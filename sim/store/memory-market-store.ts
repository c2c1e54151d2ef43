import { amount } from '@sotto/protocol'
import type {
  MarketStore,
  Reservation,
  UnpaidOrders,
} from '../../packages/server/src/ports/market-store.ts'
import { REPORTED_MS, type Queue } from '../../packages/server/src/domain/delivery-schedule.ts'
import { hexOf } from '../../packages/server/src/domain/hex.ts'
import type { MemoryDatabase, MemoryOrder, MemoryPayment } from './memory-database.ts'
import { isReserving, isUnpaid } from './memory-order-store.ts'
import { isAwaiting } from './memory-payment-store.ts'

/** The data for quotes, in memory. */
export function memoryMarketStore(database: MemoryDatabase): MarketStore {
  return {
    readMarket: async (_shownSince, nowSeconds, reportedSinceMs = 0) => ({
      assets: [...database.assets.values()].sort((left, right) =>
        `${left.symbol} ${left.mint}` < `${right.symbol} ${right.mint}` ? -1 : 1,
      ),
      // The simulator doesn't check the privacy statements of quotes, so this list stays empty.
      shown: [],
      reservations: reservationsOf(database, nowSeconds),
      unpaid: unpaidOf(database, nowSeconds),
      halted: database.cursor?.halted,
      followedAtMs: database.cursor?.followedAtMs,
      followedSeconds: database.cursor?.unixSeconds,
      liquidity: database.liquidity,
      priceStep: database.price?.step,
      queue: queueOf(database, nowSeconds, reportedSinceMs),
    }),
  }
}

const [MINUTE, TEN_MINUTES] = [60, 600]

function queueOf(database: MemoryDatabase, nowSeconds: bigint, sinceMs: number): Queue {
  const reports = [...database.provers.values()]
  const newestMs = Math.max(...reports.map(({ atMs }) => atMs))
  const fromMs = newestMs >= sinceMs ? sinceMs : newestMs - REPORTED_MS
  const recent = reports.filter(({ atMs }) => atMs >= fromMs)
  const depositsIn = (seconds: number) =>
    [...database.orders.values()].filter(
      ({ deposit }) => deposit !== undefined && deposit.unixSeconds >= nowSeconds - BigInt(seconds),
    ).length
  return {
    open: Math.max(0, ...recent.map(({ openOrders }) => openOrders)),
    depositsPerSecond: Math.max(depositsIn(MINUTE) / MINUTE, depositsIn(TEN_MINUTES) / TEN_MINUTES),
    settledPerSecond: recent.reduce((sum, { proofsPerHour }) => sum + proofsPerHour, 0) / 3_600,
  }
}

function reservationsOf(database: MemoryDatabase, nowSeconds: bigint): Reservation[] {
  const reserved = new Map<string, Reservation>()
  for (const order of database.orders.values()) {
    if (!isReserving(order, nowSeconds)) continue
    const { destinationMint: mint, accountId, network } = order
    const key = `${mint} ${accountId} ${network === undefined ? '' : hexOf(network)}`
    const before = reserved.get(key)?.amount ?? 0n
    reserved.set(key, { mint, accountId, network, amount: amount(before + order.value) })
  }
  return [...reserved.values()]
}

/** The store reads at most this many of an account's newest ended orders to compute how often the account pays. */
const ENDED_MAX = 100

function unpaidOf(database: MemoryDatabase, nowSeconds: bigint): UnpaidOrders[] {
  const rows = database.rows()
  const open = rows.filter((row) => isUnpaid(row, nowSeconds))
  return [...new Set(open.map(({ accountId }) => accountId))].map((accountId) => {
    const ended = rows
      .filter((one) => one.accountId === accountId && !isAwaiting(one))
      .sort((left, right) => right.createdAtMs - left.createdAtMs)
      .slice(0, ENDED_MAX)
    return {
      accountId,
      open: open.filter((order) => order.accountId === accountId).length,
      paid: ended.filter(isPaid).length,
      ended: ended.length,
    }
  })
}

/** True if an order or payment was paid. A signed payment counts as paid, because its money is already in the pool. */
const isPaid = (row: MemoryOrder | MemoryPayment): boolean =>
  'leaf' in row ? row.deposit !== undefined : row.status !== 'expired'
