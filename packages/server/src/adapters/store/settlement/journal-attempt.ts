import type { OrderStatus } from '../../../domain/order-state.ts'
import type { AttemptKind } from '../../../ports/settle-store.ts'
import type { Database, Sql } from '../sql.ts'
import { writeEvents, type NewEvent } from '../outbox/new-event.ts'
import { uniqueViolation } from '../unique-violation.ts'
import { hexOf } from './column-values.ts'

interface NewAttempt {
  readonly kind: AttemptKind
  readonly sealed: Uint8Array
}

/** A delivery may be tried again; a refund only once the order has been given up for delivery. */
export const STATUSES: Readonly<Record<AttemptKind, { from: OrderStatus[]; to: OrderStatus }>> = {
  deliver: { from: ['deposited', 'delivering'], to: 'delivering' },
  refund: { from: ['refunding'], to: 'refunding' },
}

/**
 * Writes an attempt with the status it brings; false where the order has moved on or has a live
 * attempt (I7).
 */
export async function tryJournal(
  database: Database,
  pseudonym: string,
  fence: bigint,
  attempt: NewAttempt,
  events: readonly NewEvent[] = [],
): Promise<boolean> {
  try {
    return await database.transaction(async (sql) => {
      const isWritten = await journal(sql, pseudonym, fence, attempt)
      if (isWritten) await writeEvents(sql, events)
      return isWritten
    })
  } catch (error) {
    // Two transactions at once may both see no live attempt; the index lets one of them through.
    if (uniqueViolation(error) === undefined) throw error
    return false
  }
}

async function journal(
  sql: Sql,
  pseudonym: string,
  fence: bigint,
  attempt: NewAttempt,
): Promise<boolean> {
  const { from, to } = STATUSES[attempt.kind]
  const rows = await sql.query(
    `UPDATE settlements SET status = $3
     WHERE pseudonym = decode($1, 'hex') AND lease_fence = $2 AND status = ANY ($4::text[])
       AND NOT EXISTS (SELECT 1 FROM attempts
                       WHERE attempts.pseudonym = settlements.pseudonym AND attempts.state = 'live')
     RETURNING lease_fence`,
    [pseudonym, fence.toString(), to, from],
  )
  if (rows.length === 0) return false
  await sql.query(
    `INSERT INTO attempts (pseudonym, number, kind, state, sealed)
     SELECT decode($1, 'hex'), COALESCE(MAX(number), 0) + 1, $2, 'live', decode($3, 'hex')
     FROM attempts WHERE pseudonym = decode($1, 'hex')`,
    [pseudonym, attempt.kind, hexOf(attempt.sealed)],
  )
  return true
}
