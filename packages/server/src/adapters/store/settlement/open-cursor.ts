import type { Address } from '@sotto/protocol'
import type { Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

interface Row {
  readonly program: string
  readonly domain: string
}

/** Makes the cursor where there is none. @throws Error where it belongs to another pool. */
export async function openCursor(
  sql: Sql,
  program: Address,
  domain: Uint8Array,
  nowMs: number,
): Promise<void> {
  const read = () =>
    sql.query<Row>(`SELECT program, encode(domain, 'hex') AS domain FROM chain_cursor`, [])
  let [row] = await read()
  if (row === undefined) {
    await sql.query(
      `INSERT INTO chain_cursor
         (program, domain, last_signature, slot, block_height, unix_seconds, next_leaf, updated_at)
       VALUES ($1, decode($2, 'hex'), NULL, 0, 0, 0, 0, $3)
       ON CONFLICT DO NOTHING`,
      [program, hexOf(domain), new Date(nowMs)],
    )
    ;[row] = await read()
  }
  if (row?.program !== program || row.domain !== hexOf(domain)) {
    throw new Error('the database belongs to another pool: point the service at its own database')
  }
}
