import { address } from '@solana/kit'
import { amount, unixSeconds, type UnixSeconds } from '@sotto/protocol'
import type {
  AssetKind,
  AssetListing,
  MarketRecord,
  MarketStore,
  Reservation,
  UnpaidOrders,
} from '../../ports/market-store.ts'
import { REPORTED_MS, type Queue } from '../../domain/delivery-schedule.ts'
import { bytesOf } from './column-values.ts'
import { readShown } from './read-shown.ts'
import { readPrice } from './settlement/price-store.ts'
import type { Sql } from './sql.ts'

interface AssetRow {
  readonly mint: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly kind: AssetKind
  readonly service_bps: number
  readonly network_fee_exists: string
  readonly network_fee_created: string
  readonly input_max: string
  readonly is_swappable: boolean
}

const decodeAsset = (row: AssetRow): AssetListing => ({
  mint: address(row.mint),
  symbol: row.symbol,
  name: row.name,
  decimals: row.decimals,
  kind: row.kind,
  serviceBps: row.service_bps,
  networkFeeExists: amount(BigInt(row.network_fee_exists)),
  networkFeeCreated: amount(BigInt(row.network_fee_created)),
  inputMax: amount(BigInt(row.input_max)),
  isSwappable: row.is_swappable,
})

async function readAssets(sql: Sql): Promise<AssetListing[]> {
  const rows = await sql.query<AssetRow>(
    `SELECT mint, symbol, name, decimals, kind, service_bps, network_fee_exists,
       network_fee_created, input_max, is_swappable FROM assets ORDER BY symbol, mint`,
    [],
  )
  return rows.map(decodeAsset)
}

async function readReservations(sql: Sql, nowSeconds: UnixSeconds): Promise<Reservation[]> {
  interface Row extends Record<'destination_mint' | 'account_id' | 'amount', string> {
    readonly network: Uint8Array
  }
  const rows = await sql.query<Row>(
    `SELECT destination_mint, account_id, network, sum(value) AS amount FROM orders
     WHERE final_hour IS NULL AND status = 'awaiting_deposit'
       AND source_mint <> destination_mint AND valid_until >= $1
     GROUP BY destination_mint, account_id, network`,
    [nowSeconds.toString()],
  )
  return rows.map((row) => ({
    mint: address(row.destination_mint),
    accountId: row.account_id,
    network: row.network.length === 0 ? undefined : bytesOf(row.network),
    amount: amount(BigInt(row.amount)),
  }))
}

/** Maximum number of an account's newest finished orders that are read. They show how often the account pays. */
const ENDED_MAX = 100

async function readUnpaid(sql: Sql, nowSeconds: UnixSeconds): Promise<UnpaidOrders[]> {
  interface Row extends Record<'open' | 'paid' | 'ended', number> {
    readonly account_id: string
  }
  const rows = await sql.query<Row>(
    `SELECT unpaid.account_id, unpaid.open, recent.paid, recent.ended
     FROM (SELECT account_id, count(*)::integer AS open FROM orders
           WHERE final_hour IS NULL AND status IN ('awaiting_deposit', 'awaiting_signature')
             AND valid_until >= $1
           GROUP BY account_id) AS unpaid
     CROSS JOIN LATERAL (
       SELECT count(*)::integer AS ended, (count(*) FILTER (WHERE is_paid))::integer AS paid
       FROM (SELECT deposit_at IS NOT NULL OR leaf IS NULL AND status <> 'expired' AS is_paid FROM orders
             WHERE account_id = unpaid.account_id
               AND status NOT IN ('awaiting_deposit', 'awaiting_signature')
             ORDER BY created_at DESC, id DESC LIMIT ${ENDED_MAX}) AS ended) AS recent`,
    [nowSeconds.toString()],
  )
  return rows.map(({ account_id: accountId, open, paid, ended }) => ({
    ...{ accountId, open, paid, ended },
  }))
}

interface WorkersRow {
  readonly halted: string | null
  readonly followed_at: Date | null
  readonly followed_seconds: string | null
  readonly is_liquid: boolean | null
  readonly free_orders: number | null
  readonly liquid_at: Date | null
}

/** Selects the workers' last reports. A cursor at slot 0 means that no worker has followed the chain yet. */
export const WORKERS_QUERY = `SELECT halted, CASE WHEN slot > 0 THEN updated_at END AS followed_at,
    CASE WHEN slot > 0 THEN unix_seconds END AS followed_seconds,
    is_liquid, free_orders, liquid_at
  FROM health LEFT JOIN chain_cursor ON true`

function followedSecondsOf(row: WorkersRow | undefined): MarketRecord['followedSeconds'] {
  const seconds = row?.followed_seconds ?? undefined
  return seconds === undefined ? undefined : unixSeconds(BigInt(seconds))
}

function liquidityOf(row: WorkersRow | undefined): MarketRecord['liquidity'] {
  if (row === undefined || row.is_liquid === null || row.liquid_at === null) return undefined
  const freeOrders = row.free_orders ?? undefined
  return { isLiquid: row.is_liquid, freeOrders, atMs: row.liquid_at.getTime() }
}

const SECONDS_PER_HOUR = 3_600
/** The rate of deposits is the rate of the last minute or the rate of the last ten minutes, whichever is higher. */
const [MINUTE, TEN_MINUTES] = [60, 600]

async function readQueue(sql: Sql, nowSeconds: UnixSeconds, sinceMs: number): Promise<Queue> {
  type Row = Record<'open' | 'rate' | 'lately' | 'long', number>
  const [row] = await sql.query<Row>(
    `SELECT COALESCE(max(open_orders), 0)::integer AS open,
       COALESCE(sum(proofs_per_hour), 0)::integer AS rate,
       (SELECT count(*) FROM orders WHERE deposit_at >= $1::bigint - ${MINUTE})::integer AS lately,
       (SELECT count(*) FROM orders WHERE deposit_at >= $1::bigint - ${TEN_MINUTES})::integer AS long
     FROM provers, (SELECT max(reported_at) AS at FROM provers) AS newest
     WHERE reported_at >= CASE WHEN newest.at >= $2::timestamptz THEN $2::timestamptz
       ELSE newest.at - $3 * interval '1 millisecond' END`,
    [nowSeconds.toString(), new Date(sinceMs), REPORTED_MS],
  )
  const { open = 0, rate = 0, lately = 0, long = 0 } = row ?? {}
  return {
    open,
    depositsPerSecond: Math.max(lately / MINUTE, long / TEN_MINUTES),
    settledPerSecond: rate / SECONDS_PER_HOUR,
  }
}

/** Reads the data for quotes, in SQL. */
export function sqlMarketStore(sql: Sql): MarketStore {
  return {
    readMarket: async (shownSince, nowSeconds, reportedSinceMs = 0) => {
      const [workers] = await sql.query<WorkersRow>(WORKERS_QUERY, [])
      return {
        liquidity: liquidityOf(workers),
        followedAtMs: workers?.followed_at?.getTime(),
        followedSeconds: followedSecondsOf(workers),
        assets: await readAssets(sql),
        shown: await readShown(sql, shownSince),
        reservations: await readReservations(sql, nowSeconds),
        unpaid: await readUnpaid(sql, nowSeconds),
        queue: await readQueue(sql, nowSeconds, reportedSinceMs),
        halted: workers?.halted ?? undefined,
        priceStep: (await readPrice(sql))?.step,
      }
    },
  }
}
