import type { FollowedBatch } from '../../../ports/follow-store.ts'
import type { Sql } from '../sql.ts'

/**
 * Moves the cursor if nobody else has since `from`; never back. Its time is when the head last moved: a node that
 * shows the same slot for ever shows no deposit either.
 */
export async function tryAdvanceCursor(
  sql: Sql,
  { from, lastSignature, head }: FollowedBatch,
  nowMs: number,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE chain_cursor
     SET last_signature = $2, slot = $3, block_height = $4, unix_seconds = $5, next_leaf = $6,
         updated_at = CASE WHEN slot < $3 THEN $7 ELSE updated_at END
     WHERE last_signature IS NOT DISTINCT FROM $1::text AND slot <= $3
     RETURNING only_row`,
    [
      from ?? null,
      lastSignature ?? null,
      head.slot.toString(),
      head.blockHeight.toString(),
      head.unixSeconds.toString(),
      head.nextLeaf.toString(),
      new Date(nowMs),
    ],
  )
  return rows.length === 1
}
