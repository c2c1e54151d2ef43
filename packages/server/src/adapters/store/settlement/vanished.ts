import { fieldFromBytes, type UnixSeconds, unixSeconds } from '@sotto/protocol'
import { hexOf } from '../../../domain/hex.ts'
import { INVENTED_DEPOSIT } from '../../../domain/order-state.ts'
import type { VanishedOrder } from '../../../ports/upkeep-records.ts'
import { bytesOf, hourOf, LATEST_HOUR } from '../column-values.ts'
import { writeEvents, type NewEvent } from '../outbox/new-event.ts'
import type { Database, Sql } from '../sql.ts'

interface Row {
  readonly id: Uint8Array
  readonly leaf: Uint8Array
  readonly deadline: string
}

/**
 * Lists deposited orders whose leaf isn't in the tree. Only orders whose last authorisation ended before `endedBefore`,
 * by the chain's clock, are listed.
 */
export async function listVanished(sql: Sql, endedBefore: UnixSeconds): Promise<VanishedOrder[]> {
  const rows = await sql.query<Row>(
    `SELECT id, leaf, deadline FROM orders
     WHERE status = 'deposited' AND final_hour IS NULL AND leaf_index IS NULL AND valid_until < $1`,
    [endedBefore.toString()],
  )
  return rows.map(({ id, leaf, deadline }) => ({
    orderId: bytesOf(id),
    leaf: fieldFromBytes(bytesOf(leaf)),
    deadline: unixSeconds(BigInt(deadline)),
  }))
}

/**
 * Expires a deposited order, in `orders` and in `settlements`. Does nothing if the order's leaf has been stored since
 * the order was listed, or if its settlement is known. Deletes the recorded deposit, and marks the order's live attempt
 * as dead. The attempt can't land, because a node had invented the leaf.
 */
export function tryExpireVanished(
  database: Database,
  pseudonym: string,
  orderId: Uint8Array,
  nowMs: number,
  events: readonly NewEvent[],
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const [side] = await sql.query<{ readonly status: string }>(
      `SELECT status FROM settlements WHERE pseudonym = decode($1, 'hex') FOR UPDATE`,
      [pseudonym],
    )
    const isOpen = side === undefined || INVENTED_DEPOSIT.some((one) => one === side.status)
    if (!isOpen) return false
    const ended = await sql.query(
      `UPDATE orders SET status = 'expired', final_hour = ended.hour,
         updated_at = GREATEST(orders.updated_at, ended.hour), sealed_plan = NULL,
         deposit_at = NULL, deposit_signature = NULL, deposit_slot = NULL, deposit_seen_at = NULL
       FROM (SELECT LEAST($2::timestamptz, ${LATEST_HOUR}) AS hour FROM chain_cursor) AS ended
       WHERE id = decode($1, 'hex') AND status = 'deposited' AND leaf_index IS NULL
         AND NOT EXISTS (SELECT 1 FROM leaves WHERE leaves.leaf = orders.leaf)
       RETURNING id`,
      [hexOf(orderId), hourOf(nowMs)],
    )
    if (ended.length === 0) return false
    await sql.query(
      `UPDATE attempts SET state = 'dead' WHERE pseudonym = decode($1, 'hex') AND state = 'live'`,
      [pseudonym],
    )
    await sql.query(
      `UPDATE settlements SET status = 'expired', final_hour = ended.hour, sealed_plan = NULL,
         lease_owner = NULL, lease_until = NULL
       FROM (SELECT LEAST($2::timestamptz, ${LATEST_HOUR}) AS hour FROM chain_cursor) AS ended
       WHERE pseudonym = decode($1, 'hex')`,
      [pseudonym, hourOf(nowMs)],
    )
    await writeEvents(sql, events)
    return true
  })
}
