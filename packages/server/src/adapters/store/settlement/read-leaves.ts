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

const LEAF_BYTES = 32

/** All leaves up to the first gap, 32 little-endian bytes each, as a tree is built of them. */
export async function readLeafBytes(sql: Sql): Promise<Uint8Array> {
  const rows = await sql.query<Row>(
    'SELECT leaf_index::integer AS leaf_index, leaf FROM leaves ORDER BY leaf_index',
    [],
  )
  const gap = rows.findIndex(({ leaf_index: index }, place) => index !== place)
  const whole = gap < 0 ? rows : rows.slice(0, gap)
  const bytes = new Uint8Array(whole.length * LEAF_BYTES)
  whole.forEach(({ leaf }, index) => {
    bytes.set(bytesOf(leaf), index * LEAF_BYTES)
    bytes.subarray(index * LEAF_BYTES, (index + 1) * LEAF_BYTES).reverse()
  })
  return bytes
}
