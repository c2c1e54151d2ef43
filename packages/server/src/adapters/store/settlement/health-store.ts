import type { HealthStore } from '../../../ports/settlement-store.ts'
import type { Ledger } from '../../../ports/upkeep-records.ts'
import type { Sql } from '../sql.ts'
import { findLeaves } from './leaves.ts'

/** Reads and writes the workers' reports about the service, in SQL. */
export function sqlHealthStore(sql: Sql): HealthStore {
  return {
    readLedger: () => readLedger(sql),
    findLeaves: (leaves) => findLeaves(sql, leaves),
    countPayable: async (unixSeconds) => {
      const [row] = await sql.query<{ readonly payable: number }>(
        `SELECT COUNT(*)::integer AS payable FROM orders
         WHERE final_hour IS NULL AND status IN ('awaiting_deposit', 'awaiting_signature')
           AND valid_until >= $1`,
        [unixSeconds.toString()],
      )
      return row?.payable ?? 0
    },
    recordLiquidity: async ({ isLiquid, freeOrders, atMs }) => {
      await sql.query('UPDATE health SET is_liquid = $1, free_orders = $2, liquid_at = $3', [
        isLiquid,
        freeOrders ?? null,
        new Date(atMs),
      ])
    },
    recordProvers: async ({ worker, openOrders, proofsPerHour, atMs }) => {
      await sql.query(
        `WITH gone AS (DELETE FROM provers
           WHERE worker <> $1 AND reported_at < $4::timestamptz - interval '1 day')
         INSERT INTO provers (worker, open_orders, proofs_per_hour, reported_at)
         VALUES ($1, $2, $3, $4)
         ON CONFLICT (worker) DO UPDATE SET open_orders = excluded.open_orders,
           proofs_per_hour = excluded.proofs_per_hour, reported_at = excluded.reported_at`,
        [worker, openOrders, proofsPerHour, new Date(atMs)],
      )
    },
    recordBooks: async (areAgreeing, nowMs) => {
      await sql.query('UPDATE health SET books_agree = $1, books_at = $2', [
        areAgreeing,
        new Date(nowMs),
      ])
    },
  }
}

async function readLedger(sql: Sql): Promise<Ledger> {
  interface Row {
    readonly leaves: number
    readonly deposited: number
    readonly written_off: number
    readonly payments: number
    readonly owner_changes: number
    readonly books_agree: boolean | null
    readonly last: Date | null
  }
  const [row] = await sql.query<Row>(
    `SELECT (SELECT COUNT(*)::integer FROM leaves) AS leaves,
            (SELECT COUNT(*)::integer FROM orders WHERE leaf_index IS NOT NULL) AS deposited,
            (SELECT COUNT(DISTINCT leaf)::integer FROM leaves JOIN written_off USING (leaf)
             WHERE NOT EXISTS (SELECT 1 FROM orders WHERE orders.leaf_index = leaves.leaf_index)
            ) AS written_off,
            (SELECT payments_landed::integer FROM health) AS payments,
            COALESCE((SELECT owner_changes::integer FROM explained_leaves
                      ORDER BY next_leaf DESC LIMIT 1), 0) AS owner_changes,
            (SELECT books_agree FROM health) AS books_agree,
            (SELECT MAX(final_hour) FROM settlements WHERE status = 'delivered') AS last`,
    [],
  )
  if (row === undefined) throw new Error('the database returned no row')
  const kept = await sql.query<{
    readonly mint: string
    readonly orders: number
    readonly value: string
  }>('SELECT mint, orders, value FROM kept_by_owners', [])
  return {
    leaves: row.leaves,
    deposited: row.deposited,
    payments: row.payments,
    unsettled: kept.reduce((sum, { orders }) => sum + orders, 0),
    ownerChanges: row.owner_changes,
    keptByOwners: new Map(kept.map(({ mint, value }) => [mint, BigInt(value)])),
    writtenOff: row.written_off,
    areBooksAgreeing: row.books_agree ?? undefined,
    lastDeliveryHourMs: row.last?.getTime(),
  }
}
