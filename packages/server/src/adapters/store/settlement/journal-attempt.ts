import type { OrderStatus } from '../../../domain/order-state.ts'
import type { AttemptKind, Lease } from '../../../ports/settle-store.ts'
import type { Database, Sql } from '../sql.ts'
import { uniqueViolation } from '../unique-violation.ts'
import { hexOf } from './column-values.ts'

interface NewAttempt {
  readonly kind: AttemptKind
  readonly sealed: Uint8Array
}

/** A delivery may be tried again; a refund only once the order has been given up for delivery. */
const STATUSES: Readonly<Record<AttemptKind, { from: OrderStatus[]; to: OrderStatus }>> = {
  deliver: { from: ['deposited', 'delivering'], to: 'delivering' },
  refund: { from: ['refunding'], to: 'refunding' },
}

/**
 * Writes an attempt with the status it brings; false where the order has moved on or has a live
 * attempt (I7). `updated_at` stays: it would tell when the delivery was.
 */
export async function tryJournal(
  database: Database,
  lease: Lease,
  attempt: NewAttempt,
): Promise<boolean> {
  try {
    return await database.transaction((sql) => journal(sql, lease, attempt))
  } catch (error) {
    // Two transactions at once may both see no live attempt; the index lets one of them through.
    if (uniqueViolation(error) === undefined) throw error
    return false
  }
}

async function journal(sql: Sql, { orderId, fence }: Lease, attempt: NewAttempt): Promise<boolean> {
  const { from, to } = STATUSES[attempt.kind]
  const rows = await sql.query(
    `UPDATE orders SET status = $3
     WHERE id = decode($1, 'hex') AND lease_fence = $2 AND status = ANY ($4::text[])
       AND NOT EXISTS (SELECT 1 FROM attempts
                       WHERE attempts.order_id = orders.id AND attempts.state = 'live')
     RETURNING id`,
    [hexOf(orderId), fence.toString(), to, from],
  )
  if (rows.length === 0) return false
  await sql.query(
    `INSERT INTO attempts (order_id, number, kind, state, sealed)
     SELECT decode($1, 'hex'), COALESCE(MAX(number), 0) + 1, $2, 'live', decode($3, 'hex')
     FROM attempts WHERE order_id = decode($1, 'hex')`,
    [hexOf(orderId), attempt.kind, hexOf(attempt.sealed)],
  )
  return true
}
