import type { PriceHour } from '../../../domain/price-hour.ts'
import { parseWhole } from '@sotto/protocol'
import type { PriceStore } from '../../../ports/price-store.ts'
import type { Sql } from '../sql.ts'

/** Reads and writes the compute unit price that all transactions of the service offer, in SQL. */
export function sqlPriceStore(sql: Sql): PriceStore {
  return {
    readPrice: () => readPrice(sql),
    tryReplacePrice: async (before, next) => {
      const rows = await sql.query(
        before === undefined
          ? `INSERT INTO unit_price (hour, step) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1`
          : `UPDATE unit_price SET hour = $1, step = $2 WHERE hour = $3 AND step = $4 RETURNING 1`,
        [next.hour, next.step, ...(before === undefined ? [] : [before.hour, before.step])],
      )
      return rows.length === 1
    },
    // The hour 0 means that no recent prices have been read yet.
    raisePrice: async (step) => {
      await sql.query(
        `INSERT INTO unit_price (hour, step) VALUES (0, $1)
         ON CONFLICT (only_row) DO UPDATE SET step = GREATEST(unit_price.step, excluded.step)`,
        [step],
      )
    },
  }
}

/** Reads the price; undefined if no price is stored. */
export async function readPrice(sql: Sql): Promise<PriceHour | undefined> {
  const [row] = await sql.query<{ readonly hour: string; readonly step: number }>(
    'SELECT hour, step FROM unit_price',
    [],
  )
  return row && { hour: parseWhole(`${row.hour}`), step: row.step }
}
