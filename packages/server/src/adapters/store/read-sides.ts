import { epochOf, plainBytes, type OrderRow } from './order-row.ts'
import { pseudonymOf, type PseudonymSecrets } from './settlement/pseudonym.ts'
import { readSettlements, type SettlementRow } from './settlement/read-settlements.ts'
import type { Sql } from './sql.ts'

/** The delivery's side of each order, where it has one and its epoch's key lives. */
export async function readSides(
  sql: Sql,
  secrets: PseudonymSecrets,
  rows: readonly OrderRow[],
): Promise<(SettlementRow | undefined)[]> {
  const names: (string | undefined)[] = []
  for (const { id, epoch, status } of rows) {
    // Elsewhere there is nothing to be found: not begun, or cleared.
    const isOpen = status === 'deposited'
    names.push(isOpen ? await pseudonymOf(secrets, epochOf(epoch), plainBytes(id)) : undefined)
  }
  const sides = await readSettlements(
    sql,
    names.flatMap((name) => name ?? []),
  )
  return names.map((name) => (name === undefined ? undefined : sides.get(name)))
}
