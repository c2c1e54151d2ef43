import { fieldToBytes } from '@sotto/protocol'
import type { LeafPages } from '../../ports/leaf-pages.ts'
import { bytesOf } from './column-values.ts'
import type { Sql } from './sql.ts'

interface Row {
  readonly leaf_index: number
  readonly leaf: Uint8Array
}

const PAGE = `SELECT leaf_index::integer AS leaf_index, leaf FROM leaves
  WHERE leaf_index >= $1 AND leaf_index < $1::bigint + $2 ORDER BY leaf_index`

const FIND = 'SELECT MIN(leaf_index)::integer AS leaf_index FROM leaves WHERE leaf = $1'

/** Reads pages of the stored leaves, in SQL. */
export function sqlLeafPages(sql: Sql): LeafPages {
  return {
    read: async (from, count) => {
      const rows = await sql.query<Row>(PAGE, [from, count], 'leaf-page')
      const gap = rows.findIndex(({ leaf_index: index }, place) => index !== from + place)
      return (gap < 0 ? rows : rows.slice(0, gap)).map(({ leaf }) => bytesOf(leaf))
    },
    find: async (leaf) => {
      type Found = { readonly leaf_index: number | null }
      const [row] = await sql.query<Found>(FIND, [fieldToBytes(leaf)], 'find-leaf')
      return row?.leaf_index ?? undefined
    },
  }
}
