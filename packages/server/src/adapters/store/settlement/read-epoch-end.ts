import type { Sql } from '../sql.ts'

interface Row {
  readonly total: number
  readonly final: number
  readonly last: Date | null
}

/** The newest final hour of an epoch's orders, in milliseconds; `open` while one isn't final. */
export async function readEpochEnd(sql: Sql, epoch: number): Promise<number | 'open' | 'empty'> {
  const [row] = await sql.query<Row>(
    `SELECT COUNT(*)::integer AS total, COUNT(final_hour)::integer AS final, MAX(final_hour) AS last
     FROM orders WHERE epoch = $1`,
    [epoch],
  )
  if (row === undefined || row.total === 0) return 'empty'
  return row.final < row.total || row.last === null ? 'open' : row.last.getTime()
}
