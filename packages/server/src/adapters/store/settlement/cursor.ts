import { type Address, unixSeconds } from '@sotto/protocol'
import type { Sql } from '../sql.ts'
import { SLOTS_AHEAD_MAX } from '../../../domain/followed-slot.ts'
import { hexOf } from '../../../domain/hex.ts'
import type { ChainCursor, FollowedBatch } from '../../../ports/settlement-store.ts'

interface Row {
  readonly program: string
  readonly domain: string
}

/** Creates the cursor if it doesn't exist. @throws Error if the existing cursor belongs to another pool. */
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
         (program, domain, slot, block_height, unix_seconds, next_leaf, updated_at)
       VALUES ($1, decode($2, 'hex'), 0, 0, 0, 0, $3)
       ON CONFLICT DO NOTHING`,
      [program, hexOf(domain), new Date(nowMs)],
    )
    ;[row] = await read()
  }
  if (row?.program !== program || row.domain !== hexOf(domain)) {
    throw new Error('the database belongs to another pool: point the service at its own database')
  }
}

interface Row {
  readonly next_leaf: string
  readonly slot: string
  readonly unix_seconds: string
  readonly updated_at: Date
}

export async function readCursor(sql: Sql): Promise<ChainCursor> {
  const [row] = await sql.query<Row>(
    'SELECT next_leaf, slot, unix_seconds, updated_at FROM chain_cursor',
    [],
  )
  if (row === undefined) throw new Error('the database has no chain cursor')
  return {
    nextLeaf: BigInt(row.next_leaf),
    slot: BigInt(row.slot),
    unixSeconds: unixSeconds(BigInt(row.unix_seconds)),
    followedAtMs: row.updated_at.getTime(),
  }
}

/**
 * Moves the cursor if its next leaf is still `from`. Otherwise, another worker has moved it. The cursor moves back only
 * if it is so far ahead that a node must have reported a false slot. The cursor's time changes only with its slot. So
 * if a node always shows the same slot, the cursor gets old, and the node can't hide deposits unnoticed.
 */
export async function tryAdvanceCursor(
  sql: Sql,
  { from, head }: FollowedBatch,
  nowMs: number,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE chain_cursor
     SET next_leaf = $2, slot = $3, block_height = $4, unix_seconds = $5,
         updated_at = CASE WHEN slot <> $3 THEN $6 ELSE updated_at END
     WHERE next_leaf = $1 AND (slot <= $3 OR (slot > $3::bigint + $7 AND next_leaf <= $2))
     RETURNING only_row`,
    [
      from.toString(),
      head.nextLeaf.toString(),
      head.slot.toString(),
      head.blockHeight.toString(),
      head.unixSeconds.toString(),
      new Date(nowMs),
      SLOTS_AHEAD_MAX.toString(),
    ],
  )
  return rows.length === 1
}

/** Stops new orders until an operator resumes them. A reason that is already stored is kept. */
export async function halt(sql: Sql, reason: string): Promise<void> {
  await sql.query('UPDATE chain_cursor SET halted = $1 WHERE halted IS NULL', [reason])
}
