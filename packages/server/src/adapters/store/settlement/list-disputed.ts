import { fieldFromBytes } from '@sotto/protocol'
import type { DisputedOrder } from '../../../ports/follow-store.ts'
import type { Sql } from '../sql.ts'
import { bytesOf } from './column-values.ts'
import { AWAITING_COLUMNS, awaitingOf, type AwaitingRow } from './read-awaiting.ts'

interface Row extends AwaitingRow {
  readonly leaf: Uint8Array
}

/** Awaiting orders past their deadline whose id a leaf bears. */
export async function listDisputed(sql: Sql, unixSeconds: bigint): Promise<DisputedOrder[]> {
  const rows = await sql.query<Row>(
    `SELECT ${AWAITING_COLUMNS}, leaves.leaf
     FROM orders JOIN leaves ON leaves.order_id = orders.id
     WHERE orders.status = 'awaiting_deposit' AND orders.final_hour IS NULL
       AND orders.deadline < $1`,
    [unixSeconds.toString()],
  )
  return rows.map((row) => ({
    ...awaitingOf(row),
    leaf: fieldFromBytes(bytesOf(row.leaf)),
  }))
}
