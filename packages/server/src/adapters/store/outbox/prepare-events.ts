import type { FollowedBatch } from '../../../ports/settlement-store.ts'
import { epochOf } from '../order-row.ts'
import { bytesOf } from '../column-values.ts'
import { hexOf } from '../../../domain/hex.ts'
import { findKey, type PseudonymSecrets } from '../settlement/pseudonym.ts'
import type { Sql } from '../sql.ts'
import { HAS_WEBHOOKS, newEvent, type NewEvent } from './new-event.ts'

/** An order whose status may change in a step of the follower. */
export interface ChangingRow {
  readonly id: Uint8Array
  readonly account_id: string
  readonly reference: string | null
  readonly epoch: string
  readonly is_payment: boolean
  readonly has_webhooks: boolean
}

const COLUMNS = `id, account_id, reference, leaf IS NULL AS is_payment, COALESCE(seal_epoch, epoch) AS epoch,
  ${HAS_WEBHOOKS} AS has_webhooks`

/**
 * The sealed events of the status changes that a step of the follower may cause. The key of each map is an order's id
 * in hex.
 */
export interface PreparedEvents {
  readonly deposited: ReadonlyMap<string, NewEvent>
  readonly expired: ReadonlyMap<string, NewEvent>
}

/**
 * Maximum number of orders that expire in one step. After an outage, many orders may be overdue at once, and a step
 * must not take longer than a transaction may last. The next steps expire the other orders.
 */
const EXPIRED_MAX = 1_000

/** Lists orders that may expire in this step: `expireOverdue` checks the same conditions again in its transaction. */
export function listOverdue(
  sql: Sql,
  { expiresBefore, undeposited = [], head }: FollowedBatch,
): Promise<ChangingRow[]> {
  return sql.query<ChangingRow>(
    `SELECT ${COLUMNS} FROM orders
     WHERE status IN ('awaiting_deposit', 'awaiting_signature') AND final_hour IS NULL AND valid_until < $1
       AND (encode(id, 'hex') = ANY ($2::text[])
            OR NOT EXISTS (SELECT 1 FROM leaves WHERE leaves.leaf = orders.leaf))
     LIMIT ${EXPIRED_MAX}`,
    [(expiresBefore ?? head.unixSeconds).toString(), undeposited.map(hexOf)],
  )
}

/**
 * Seals the events of the status changes that a step of the follower may cause. A transaction must not read keys, so
 * the events are sealed before the step's transaction. If an order's key can't be read, the order's events are omitted.
 */
export async function prepareEvents(
  sql: Sql,
  secrets: PseudonymSecrets,
  { deposits }: FollowedBatch,
  overdue: readonly ChangingRow[],
  nowMs: number,
): Promise<PreparedEvents> {
  const sealed = async (rows: readonly ChangingRow[], status: 'deposited' | 'expired') => {
    const events = new Map<string, NewEvent>()
    for (const row of rows) {
      const key = await findKey(secrets, epochOf(row.epoch))
      if (key === undefined) continue
      const order = { orderId: bytesOf(row.id), accountId: row.account_id, key }
      const { is_payment: isPayment, has_webhooks: hasWebhooks } = row
      const rest = { reference: row.reference ?? undefined, isPayment, hasWebhooks }
      events.set(hexOf(row.id), newEvent({ ...order, ...rest }, status, nowMs))
    }
    return events
  }
  const paid =
    deposits.length === 0
      ? []
      : await sql.query<ChangingRow>(
          `SELECT ${COLUMNS} FROM orders
           WHERE id IN (SELECT decode(id, 'hex') FROM unnest($1::text[]) AS given (id))`,
          [deposits.map(({ orderId }) => hexOf(orderId))],
        )
  return { deposited: await sealed(paid, 'deposited'), expired: await sealed(overdue, 'expired') }
}
