import type { EpochSecrets } from '../../ports/secrets.ts'
import { epochOf, type OrderRow } from './order-row.ts'
import { bytesOf } from './column-values.ts'
import { hexOf } from '../../domain/hex.ts'
import { findKey, type PseudonymSecrets } from './settlement/pseudonym.ts'
import { mayBeReplaced, readReplaced } from './settlement/plans.ts'
import { readSettlements, type SettlementRow } from './settlement/read-settlements.ts'
import type { Sql } from './sql.ts'

/**
 * Statuses in an order's own row that may be out of date. In these statuses, the row in `settlements` has the current
 * status.
 */
const HAS_SIDE: ReadonlySet<OrderRow['status']> = new Set(['deposited', 'delivering'])

/**
 * An order's own row, its row in `settlements`, and its newest plan. `side` is undefined if there is no such row, or if
 * the epoch's key can't be read.
 */
export interface Sides<Row extends OrderRow> {
  readonly row: Row
  readonly side: SettlementRow | undefined
  readonly plan: Uint8Array | undefined
}

/**
 * Reads orders with both their rows. Between the reads of the two rows, an epoch may be cleared, or an order may be
 * sealed again under another key. If that may have happened, both rows are read again. Otherwise a delivered order
 * could appear as deposited.
 */
export async function withSides<Row extends OrderRow>(
  sql: Sql,
  secrets: PseudonymSecrets,
  readRows: () => Promise<readonly Row[]>,
): Promise<Sides<Row>[]> {
  const look = async (rows: readonly Row[]) => {
    const found = await readSides(sql, secrets, rows)
    const planned = found.flatMap(({ key, side }, index) => {
      const row = rows[index]
      if (
        key === undefined ||
        row === undefined ||
        !mayBeReplaced({ ...row, epoch: epochOf(row.epoch) }, side)
      )
        return []
      return [{ index, orderId: bytesOf(row.id), key }]
    })
    const replaced = planned.length === 0 ? [] : await readReplaced(sql, planned)
    const newest = new Map(planned.map(({ index }, place) => [index, replaced[place]?.sealed]))
    return rows.map((row, index) => {
      const side = found[index]?.side
      const plan = newest.get(index) ?? side?.sealed_plan ?? row.sealed_plan
      return { row, side, plan: plan === null ? undefined : bytesOf(plan) }
    })
  }
  const first = await look(await readRows())
  const isCertain = first.every(
    ({ row, side }) => !HAS_SIDE.has(row.status) || (side !== undefined && side.status !== 'moved'),
  )
  return isCertain ? first : look(await readRows())
}

async function readSides(sql: Sql, secrets: PseudonymSecrets, rows: readonly OrderRow[]) {
  const named: { readonly key: EpochSecrets | undefined; readonly name: string | undefined }[] = []
  for (const { id, epoch, status } of rows) {
    // In any other status, the order has no row in `settlements`. Either settlement hasn't started, or the order was
    // cleared.
    const key = HAS_SIDE.has(status) ? await findKey(secrets, epochOf(epoch)) : undefined
    named.push({ key, name: key && hexOf(key.pseudonym(bytesOf(id))) })
  }
  const sides = await readSettlements(
    sql,
    named.flatMap(({ name }) => name ?? []),
  )
  return named.map(({ key, name }) => ({ key, side: sides.get(name ?? '') }))
}
