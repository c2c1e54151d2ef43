import { statusesBefore } from '../../../domain/order-state.ts'
import type { Outcome } from '../../../ports/settle-store.ts'
import type { Database } from '../sql.ts'
import { EPOCH_MS } from '../../../domain/epoch.ts'
import { writeEvents, type NewEvent } from '../outbox/new-event.ts'
import { hexOf, hourOf, LATEST_HOUR } from './column-values.ts'
import type { NamedOrder } from './pseudonym.ts'

// A wall clock that is behind would date the end before the order's epoch, and the row would be dropped with
// an older epoch's, while the order itself still counts on it.
const FINAL_HOUR = `GREATEST($6::timestamptz, LEAST($4::timestamptz, ${LATEST_HOUR}))`

/**
 * Ends an order and its live attempt, on the delivery's side only. Makes the row where nobody here
 * settled the note: somebody did with its ticket. With it goes what is to be told of the end.
 */
export function tryComplete(
  database: Database,
  { pseudonym, epoch }: Pick<NamedOrder, 'pseudonym' | 'epoch'>,
  { to, sealedOutcome, attempt }: Outcome,
  nowMs: number,
  events: readonly NewEvent[] = [],
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const rows = await sql.query(
      `INSERT INTO settlements (pseudonym, status, sealed_outcome, final_hour)
       SELECT decode($1, 'hex'), $2, decode($3, 'hex'), ${FINAL_HOUR}
       FROM chain_cursor
       ON CONFLICT (pseudonym) DO UPDATE
       SET status = $2, sealed_outcome = decode($3, 'hex'), final_hour = excluded.final_hour,
           lease_owner = NULL, lease_until = NULL
       WHERE settlements.status = ANY ($5::text[]) AND NOT EXISTS (
         SELECT 1 FROM attempts
         WHERE pseudonym = decode($1, 'hex') AND state = 'live' AND number IS DISTINCT FROM $7::integer
       )
       RETURNING lease_fence`,
      [
        pseudonym,
        to,
        hexOf(sealedOutcome),
        hourOf(nowMs),
        statusesBefore(to),
        hourOf(epoch * EPOCH_MS),
        attempt?.number ?? null,
      ],
    )
    if (rows.length === 0) return false
    if (attempt !== undefined) {
      await sql.query(
        `UPDATE attempts SET state = $3
         WHERE pseudonym = decode($1, 'hex') AND number = $2 AND state = 'live'`,
        [pseudonym, attempt.number, attempt.hasLanded ? 'landed' : 'dead'],
      )
    }
    await writeEvents(sql, events)
    return true
  })
}
