import { fieldFromBytes, type UnixSeconds, unixSeconds } from '@sotto/protocol'
import type {
  ArrivedOrder,
  AwaitingOrder,
  RecordedDeposit,
} from '../../../ports/settlement-store.ts'
import type { FinalizedHead, FoundDeposit } from '../../../ports/settlement-chain.ts'
import type { Sql } from '../sql.ts'
import { bytesOf, hourOf, LATEST_HOUR } from '../column-values.ts'
import { hexOf } from '../../../domain/hex.ts'
import { statusesBefore } from '../../../domain/order-state.ts'
import { hexOfLeaf } from './leaves.ts'

interface Row {
  readonly id: Uint8Array
  readonly epoch: number
  readonly deadline: string
  readonly expiry: string
  readonly leaf: Uint8Array
  readonly sealed_terms: Uint8Array
}

const COLUMNS = `orders.id, orders.epoch::integer AS epoch, orders.deadline, orders.expiry, orders.leaf,
  orders.sealed_terms`

/** Reads the orders that await a deposit and have one of these leaves. */
export async function readAwaiting(sql: Sql, leaves: readonly bigint[]): Promise<AwaitingOrder[]> {
  const rows = await sql.query<Row>(
    `SELECT ${COLUMNS} FROM orders
     WHERE status = 'awaiting_deposit'
       AND leaf IN (SELECT decode(leaf, 'hex') FROM unnest($1::text[]) AS given (leaf))`,
    [leaves.map(hexOfLeaf)],
  )
  return rows.map(awaitingOf)
}

function awaitingOf(row: Row): AwaitingOrder {
  return {
    orderId: bytesOf(row.id),
    epoch: row.epoch,
    deadline: unixSeconds(BigInt(row.deadline)),
    expiry: unixSeconds(BigInt(row.expiry)),
    leaf: fieldFromBytes(bytesOf(row.leaf)),
    sealedTerms: bytesOf(row.sealed_terms),
  }
}

/**
 * Lists orders that await a deposit although their leaf is stored. Only orders whose last authorisation has ended are
 * listed. Each order is listed with the lowest index of its leaf.
 */
export async function listArrived(sql: Sql, clock: UnixSeconds): Promise<ArrivedOrder[]> {
  const rows = await sql.query<Row & { readonly leaf_index: number }>(
    `SELECT ${COLUMNS}, arrived.leaf_index
     FROM orders, LATERAL (
       SELECT MIN(leaf_index)::integer AS leaf_index FROM leaves WHERE leaves.leaf = orders.leaf) AS arrived
     WHERE status = 'awaiting_deposit' AND final_hour IS NULL AND valid_until < $1
       AND arrived.leaf_index IS NOT NULL`,
    [clock.toString()],
  )
  return rows.map((row) => ({ ...awaitingOf(row), leafIndex: row.leaf_index }))
}

/** Records that the deposits of these leaves were seen, at some commitment level. */
export async function markSeen(sql: Sql, leaves: readonly bigint[], nowMs: number): Promise<void> {
  await sql.query(
    `UPDATE orders SET deposit_seen_at = $2, updated_at = $2
     WHERE deposit_seen_at IS NULL AND status = 'awaiting_deposit'
       AND leaf IN (SELECT decode(leaf, 'hex') FROM unnest($1::text[]) AS given (leaf))`,
    [leaves.map(hexOfLeaf), new Date(nowMs)],
  )
}

/** Lists the leaves of orders that still await a deposit, although their deposit was seen. */
export async function listSeen(sql: Sql): Promise<bigint[]> {
  const rows = await sql.query<{ readonly leaf: Uint8Array }>(
    `SELECT leaf FROM orders
     WHERE status = 'awaiting_deposit' AND final_hour IS NULL AND deposit_seen_at IS NOT NULL`,
    [],
  )
  return rows.map(({ leaf }) => fieldFromBytes(bytesOf(leaf)))
}

/**
 * Removes the record that the deposits of these leaves were seen, because the chain has dropped the deposits. The
 * record stays if the order's leaf is stored.
 */
export async function clearSeen(sql: Sql, leaves: readonly bigint[], nowMs: number): Promise<void> {
  await sql.query(
    `UPDATE orders SET deposit_seen_at = NULL, updated_at = $2
     WHERE deposit_seen_at IS NOT NULL AND status = 'awaiting_deposit'
       AND leaf IN (SELECT decode(leaf, 'hex') FROM unnest($1::text[]) AS given (leaf))
       AND NOT EXISTS (SELECT 1 FROM leaves WHERE leaves.leaf = orders.leaf)`,
    [leaves.map(hexOfLeaf), new Date(nowMs)],
  )
}

/** Lists deposited orders whose deposit transaction isn't stored yet, the newest first. */
export async function listUnlocated(sql: Sql, limit: number): Promise<Uint8Array[]> {
  const rows = await sql.query<{ readonly id: Uint8Array }>(
    `SELECT id FROM orders
     WHERE status = 'deposited' AND leaf_index IS NOT NULL AND deposit_signature IS NULL
     ORDER BY leaf_index DESC LIMIT $1`,
    [limit],
  )
  return rows.map(({ id }) => bytesOf(id))
}

/**
 * Maximum number of seconds by which a deposit's time may be earlier than its order's time. The chain shows the
 * deposit's time, and the wall clock of a process gives the order's time.
 */
const CLOCKS_APART = 300

/**
 * Stores the transaction of an order's deposit. Does nothing if the order's epoch has been cleared in the meantime. A
 * single node shows the time of the block, so this time may be false. If it were later than the recorded time, the
 * deposit could seem to wait forever. If it were earlier than the order, the deposit would be counted in an hour in
 * which the chain didn't show it. So the stored time is never later than the recorded time, and at most `CLOCKS_APART`
 * seconds earlier than the order. The recorded time is the time of a finalized head that had the deposit.
 */
export async function recordLocated(
  sql: Sql,
  orderId: Uint8Array,
  { signature, slot, unixSeconds }: FoundDeposit,
): Promise<void> {
  await sql.query(
    `UPDATE orders SET deposit_signature = $2, deposit_slot = $3,
       deposit_at = LEAST(deposit_at,
         GREATEST($4::bigint, floor(extract(epoch FROM created_at))::bigint - ${CLOCKS_APART}))
     WHERE id = decode($1, 'hex') AND status = 'deposited' AND deposit_signature IS NULL`,
    [hexOf(orderId), signature, slot.toString(), unixSeconds.toString()],
  )
}

/**
 * Marks an order as `deposited`, after its leaf has become final. If the order's status doesn't allow the change any
 * more, changes nothing and returns false. The deposit's time is preliminary: until the deposit's transaction is found,
 * it is the head's time.
 */
export async function markDeposited(
  sql: Sql,
  deposit: RecordedDeposit,
  { unixSeconds }: FinalizedHead,
  nowMs: number,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE orders
     SET status = 'deposited', deposit_at = $2, leaf_index = $3, sealed_plan = decode($4, 'hex'),
         updated_at = $5, deposit_seen_at = COALESCE(deposit_seen_at, $5), network = ''::bytea
     WHERE id = decode($1, 'hex') AND status = ANY ($6::text[]) RETURNING id`,
    [
      hexOf(deposit.orderId),
      unixSeconds.toString(),
      deposit.leafIndex,
      hexOf(deposit.sealedPlan),
      new Date(nowMs),
      statusesBefore('deposited'),
    ],
  )
  return rows.length === 1
}

/**
 * Expires the given orders whose last authorisation ended before `expiresBefore`. The chain must have passed that time.
 * An order expires if its leaf isn't stored. The orders in `undeposited` also expire: their leaf is stored, but a
 * payment appended it as its change. This function runs only in the transaction that stores the last leaves up to that
 * time (I8). It returns the ids of the expired orders in hex.
 */
export async function expireOverdue(
  sql: Sql,
  overdue: readonly Uint8Array[],
  {
    expiresBefore,
    nowMs,
    undeposited,
  }: {
    readonly expiresBefore: UnixSeconds
    readonly nowMs: number
    readonly undeposited: readonly Uint8Array[]
  },
): Promise<string[]> {
  if (overdue.length === 0) return []
  const rows = await sql.query<{ readonly id: string }>(
    `UPDATE orders SET status = 'expired', final_hour = ended.hour,
         updated_at = GREATEST(orders.updated_at, ended.hour)
     FROM (SELECT LEAST($2::timestamptz, ${LATEST_HOUR}) AS hour FROM chain_cursor) AS ended
     WHERE id IN (SELECT decode(id, 'hex') FROM unnest($5::text[]) AS given (id))
       AND orders.final_hour IS NULL AND status = ANY ($3::text[]) AND valid_until < $1
       AND (encode(id, 'hex') = ANY ($4::text[])
            OR NOT EXISTS (SELECT 1 FROM leaves WHERE leaves.leaf = orders.leaf))
     RETURNING encode(id, 'hex') AS id`,
    [
      expiresBefore.toString(),
      hourOf(nowMs),
      statusesBefore('expired'),
      undeposited.map(hexOf),
      overdue.map(hexOf),
    ],
  )
  return rows.map(({ id }) => id)
}
