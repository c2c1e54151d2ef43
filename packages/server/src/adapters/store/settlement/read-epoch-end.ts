import type { Sql } from '../sql.ts'
import { bytesOf } from './column-values.ts'
import { pseudonymOf, type PseudonymSecrets } from './pseudonym.ts'
import { readSettlements } from './read-settlements.ts'

interface Row {
  readonly id: Uint8Array
  readonly final_hour: Date | null
}

/** The newest final hour of an epoch's orders, in milliseconds; `open` while one isn't final. */
export async function readEpochEnd(
  sql: Sql,
  secrets: PseudonymSecrets,
  epoch: number,
): Promise<number | 'open' | 'empty'> {
  const rows = await sql.query<Row>(
    'SELECT id, final_hour FROM orders WHERE COALESCE(seal_epoch, epoch) = $1',
    [epoch],
  )
  const ends: (number | undefined)[] = rows.flatMap(({ final_hour: hour }) => hour?.getTime() ?? [])
  const names: string[] = []
  for (const { id } of rows.filter((row) => row.final_hour === null)) {
    const name = await pseudonymOf(secrets, epoch, bytesOf(id))
    if (name === undefined) return 'open'
    names.push(name)
  }
  const sides = await readSettlements(sql, names)
  for (const name of names) {
    const side = sides.get(name)
    // A row that has moved isn't the order's end: the next look finds where the order went.
    ends.push(side?.status === 'moved' ? undefined : side?.final_hour?.getTime())
  }
  // One at a time: an epoch may have more orders than a call may have arguments.
  return ends.reduce<number | 'open' | 'empty'>((latest, end) => {
    if (end === undefined || latest === 'open') return 'open'
    return latest === 'empty' || end > latest ? end : latest
  }, 'empty')
}
