import { fieldFromBytes } from '@sotto/protocol'
import type { DisputedOrder } from '../../../ports/follow-store.ts'
import type { Sql } from '../sql.ts'
import { bytesOf } from './column-values.ts'
import { AWAITING_COLUMNS, awaitingOf, type AwaitingRow } from './read-awaiting.ts'

interface Row extends AwaitingRow {
  readonly leaf: Uint8Array
  readonly leaf_index: number
  readonly leaf_slot: string
}

/** Awaiting orders past their last authorisation whose id a leaf bears, once for each leaf. */
export async function listDisputed(sql: Sql, unixSeconds: bigint): Promise<DisputedOrder[]> {
  const rows = await sql.query<Row>(
    `SELECT ${AWAITING_COLUMNS}, leaves.leaf,
            leaves.leaf_index::integer AS leaf_index, leaves.slot AS leaf_slot
     FROM orders JOIN leaves ON leaves.order_id = orders.id
     WHERE orders.status = 'awaiting_deposit' AND orders.final_hour IS NULL
       AND orders.valid_until < $1
     ORDER BY leaves.leaf_index`,
    [unixSeconds.toString()],
  )
  return rows.map((row) => ({
    ...awaitingOf(row),
    leaf: fieldFromBytes(bytesOf(row.leaf)),
    leafIndex: row.leaf_index,
    leafSlot: BigInt(row.leaf_slot),
  }))
}
