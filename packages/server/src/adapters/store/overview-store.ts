import { unixSeconds } from '@sotto/protocol'
import { address } from '@solana/kit'
import type {
  AnonymitySpan,
  NamedAsset,
  OpenOrders,
  Overview,
  OverviewStore,
} from '../../ports/overview-store.ts'
import type { Sql } from './sql.ts'

interface HealthRow {
  readonly slot: string | null
  readonly unix_seconds: string | null
  readonly updated_at: Date | null
  readonly halted: string | null
  readonly is_liquid: boolean | null
  readonly liquid_at: Date | null
  readonly books_agree: boolean | null
  readonly books_at: Date | null
  readonly has_paid_payees: boolean
}

/** Reads the overview of a database, in SQL. */
export function sqlOverviewStore(sql: Sql): OverviewStore {
  return {
    readOverview: () => readOverview(sql),
    readAssets: async () => {
      type Row = { readonly mint: string; readonly symbol: string; readonly decimals: number }
      const query = 'SELECT mint, symbol, decimals FROM assets ORDER BY symbol, mint'
      const rows = await sql.query<Row>(query, [])
      return rows.map((row): NamedAsset => ({ ...row, mint: address(row.mint) }))
    },
    readAnonymitySpans: (since, seconds) => readAnonymitySpans(sql, since, seconds),
  }
}

async function readOverview(sql: Sql): Promise<Overview> {
  const [row] = await sql.query<HealthRow>(
    `SELECT chain_cursor.slot, chain_cursor.unix_seconds, chain_cursor.updated_at, chain_cursor.halted,
            health.is_liquid, health.liquid_at, health.books_agree, health.books_at,
            health.has_paid_payees
     FROM health LEFT JOIN chain_cursor ON TRUE`,
    [],
  )
  const booksAt = row?.books_at ?? undefined
  const liquidAt = row?.liquid_at ?? undefined
  return {
    open: await countOpen(sql),
    followed: followedOf(row),
    halted: row?.halted ?? undefined,
    books: booksAt && { areAgreeing: row?.books_agree === true, atMs: booksAt.getTime() },
    liquidity: liquidAt && { isLiquid: row?.is_liquid === true, atMs: liquidAt.getTime() },
    hasPaidPayees: row?.has_paid_payees === true,
  }
}

function followedOf(row: HealthRow | undefined): Overview['followed'] {
  const { slot = null, unix_seconds: seconds = null, updated_at: at = null } = row ?? {}
  // A cursor at slot 0 means that no worker has followed the chain yet.
  if (slot === null || slot === '0' || seconds === null || at === null) return undefined
  return { slot: BigInt(slot), unixSeconds: unixSeconds(BigInt(seconds)), atMs: at.getTime() }
}

/**
 * Counts open orders. Before the deposit, the status is in the order's own row. Once work on a deposited order or a
 * payment has begun, the status is in a row of `settlements`, which is stored under a pseudonym.
 */
async function countOpen(sql: Sql): Promise<OpenOrders> {
  const rows = await sql.query<{ readonly state: keyof OpenOrders; readonly count: number }>(
    `SELECT 'awaitingDeposit' AS state, COUNT(*)::integer AS count FROM orders
       WHERE final_hour IS NULL AND status = 'awaiting_deposit'
     UNION ALL
     SELECT CASE status WHEN 'refunding' THEN 'refunding' ELSE 'delivering' END,
            COUNT(*)::integer
       FROM settlements WHERE status IN ('deposited', 'delivering', 'refunding') GROUP BY 1`,
    [],
  )
  const of = (state: keyof OpenOrders) => rows.find((row) => row.state === state)?.count ?? 0
  return {
    awaitingDeposit: of('awaitingDeposit'),
    delivering: of('delivering'),
    refunding: of('refunding'),
  }
}

async function readAnonymitySpans(
  sql: Sql,
  since: bigint,
  seconds: number,
): Promise<AnonymitySpan[]> {
  interface Row extends Record<'mint' | 'from_seconds', string> {
    readonly deposits: number
    readonly alike: number
  }
  const rows = await sql.query<Row>(
    `SELECT destination_mint AS mint, from_seconds,
            SUM(deposits)::integer AS deposits, MAX(deposits)::integer AS alike
     FROM (SELECT destination_mint, deposit_at / $2::bigint * $2::bigint AS from_seconds,
                  COUNT(*) AS deposits
           FROM orders WHERE deposit_at >= $1
           GROUP BY destination_mint, from_seconds, value) AS groups
     GROUP BY destination_mint, from_seconds ORDER BY from_seconds`,
    [since.toString(), `${seconds}`],
  )
  return rows.map(({ mint, from_seconds, deposits, alike }) => ({
    mint: address(mint),
    fromSeconds: unixSeconds(BigInt(from_seconds)),
    deposits,
    alike,
  }))
}
