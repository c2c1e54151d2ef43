import type { FollowedBatch } from '../../../ports/follow-store.ts'
import type { Database } from '../sql.ts'
import { tryAdvanceCursor } from './advance-cursor.ts'
import { adoptTerms } from './adopt-terms.ts'
import { expireDisowned } from './expire-disowned.ts'
import { expireOverdue } from './expire-overdue.ts'
import { insertLeaves } from './insert-leaves.ts'
import { markDeposited } from './mark-deposited.ts'
import { replaceLeaves } from './replace-leaves.ts'

/** Writes one step along the chain, whole or not at all; false where another worker was faster. */
export function tryRecord(
  database: Database,
  batch: FollowedBatch,
  nowMs: number,
): Promise<boolean> {
  return database.transaction(
    async (sql) => {
      if (!(await tryAdvanceCursor(sql, batch, nowMs))) return false
      if (batch.isRescan) await replaceLeaves(sql, batch.leaves, batch.keep)
      else await insertLeaves(sql, batch.leaves)
      for (const deposit of batch.deposits) {
        if (deposit.adopted !== undefined && !(await adoptTerms(sql, deposit))) continue
        await markDeposited(sql, deposit, nowMs)
      }
      await expireDisowned(sql, batch.disowned, batch.head, nowMs)
      await expireOverdue(sql, batch.head, nowMs)
      return true
    },
    // A rescan writes every leaf there is.
    batch.isRescan ? 'long' : 'short',
  )
}
