import type { HealthStore, Ledger } from '../../../ports/settlement-store.ts'
import type { Sql } from '../sql.ts'

/** What workers report about the service itself, in SQL. */
export function sqlHealthStore(sql: Sql): HealthStore {
  return {
    readLedger: () => readLedger(sql),
    countPayable: async (unixSeconds) => {
      const [row] = await sql.query<{ readonly payable: number }>(
        `SELECT COUNT(*)::integer AS payable FROM orders
         WHERE final_hour IS NULL AND status = 'awaiting_deposit' AND valid_until >= $1`,
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
    recordBooks: async (areAgreeing, nowMs) => {
      await sql.query('UPDATE health SET books_agree = $1, books_at = $2', [
        areAgreeing,
        new Date(nowMs),
      ])
    },
  }
}

async function readLedger(sql: Sql): Promise<Ledger> {
  type Row = { readonly leaves: number; readonly foreign: boolean; readonly last: Date | null }
  const [row] = await sql.query<Row>(
    `SELECT (SELECT COUNT(*)::integer FROM leaves) AS leaves,
            EXISTS (SELECT 1 FROM leaves
                    WHERE NOT EXISTS (SELECT 1 FROM orders
                                      WHERE orders.id = leaves.order_id
                                        AND orders.leaf_index = leaves.leaf_index)) AS "foreign",
            (SELECT MAX(final_hour) FROM settlements WHERE status = 'delivered') AS last`,
    [],
  )
  if (row === undefined) throw new Error('the database answers nothing')
  return {
    leaves: row.leaves,
    hasForeign: row.foreign,
    lastDeliveryHourMs: row.last?.getTime(),
  }
}
