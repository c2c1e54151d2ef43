import type { ChainCursor } from '../../../ports/follow-store.ts'
import type { Sql } from '../sql.ts'

interface Row {
  readonly last_signature: string | null
  readonly slot: string
  readonly unix_seconds: string
}

export async function readCursor(sql: Sql): Promise<ChainCursor> {
  const [row] = await sql.query<Row>(
    'SELECT last_signature, slot, unix_seconds FROM chain_cursor',
    [],
  )
  if (row === undefined) throw new Error('the database has no chain cursor')
  return {
    lastSignature: row.last_signature ?? undefined,
    slot: BigInt(row.slot),
    unixSeconds: BigInt(row.unix_seconds),
  }
}
