import { fieldFromBytes } from '@sotto/protocol'
import type { Sql } from '../sql.ts'
import { bytesOf } from './column-values.ts'

interface Row {
  readonly leaf_index: number
  readonly leaf: Uint8Array
}

/** Leaves from an index on, in order, up to the first gap. */
export async function readLeaves(sql: Sql, from: number): Promise<bigint[]> {
  const rows = await sql.query<Row>(
    'SELECT leaf_index::integer AS leaf_index, leaf FROM leaves WHERE leaf_index >= $1 ORDER BY leaf_index',
    [from],
  )
  const leaves: bigint[] = []
  for (const row of rows) {
    if (row.leaf_index !== from + leaves.length) break
    leaves.push(fieldFromBytes(bytesOf(row.leaf)))
  }
  return leaves
}
