import { fieldFromBytes } from '@sotto/protocol'
import type {
  AwaitingOrder,
  DisputedOrder,
  RecordedDeposit,
} from '../../../ports/settlement-store.ts'
import type { Sql } from '../sql.ts'
import { termsOfRow, type TermsRow } from '../terms-of-row.ts'
import { bytesOf, hourOf, LATEST_HOUR } from '../column-values.ts'
import { hexOf } from '../../../domain/hex.ts'
import { statusesBefore } from '../../../domain/order-state.ts'
import type { FinalizedHead } from '../../../ports/settlement-chain.ts'

/** The columns of an `AwaitingOrder`. */
export interface AwaitingRow extends TermsRow {
  readonly id: Uint8Array
  readonly epoch: number
  readonly sealed_terms: Uint8Array
}

export const AWAITING_COLUMNS = `orders.id, orders.epoch::integer AS epoch, orders.sender,
  orders.source_mint, orders.destination_mint, orders.amount_in, orders.amount_out, orders.fee,
  orders.partner_fee, orders.deadline, orders.expiry, orders.inner_commitment, orders.sealed_terms`

/** Reads those of these orders that still await their deposit. */
export async function readAwaiting(
  sql: Sql,
  orderIds: readonly Uint8Array[],
): Promise<AwaitingOrder[]> {
  const rows = await sql.query<AwaitingRow>(
    `SELECT ${AWAITING_COLUMNS}
     FROM orders
     WHERE status = 'awaiting_deposit'
       AND id IN (SELECT decode(id, 'hex') FROM unnest($1::text[]) AS given (id))`,
    [orderIds.map(hexOf)],
  )
  return rows.map(awaitingOf)
}

/** Decodes an order from its row. */
export function awaitingOf(row: AwaitingRow): AwaitingOrder {
  return {
    orderId: bytesOf(row.id),
    epoch: row.epoch,
    ...termsOfRow(row),
    sealedTerms: bytesOf(row.sealed_terms),
  }
}

interface Row extends AwaitingRow {
  readonly leaf: Uint8Array
  readonly leaf_index: number
  readonly leaf_slot: string
}

/** Awaiting orders past their last authorisation whose id a leaf bears, once for each leaf. */
export async function listDisputed(sql: Sql, unixSeconds: bigint): Promise<DisputedOrder[]> {
  const rows = await sql.query<Row>(
    `SELECT ${AWAITING_COLUMNS}, leaves.leaf,
            leaves.leaf_index::integer AS leaf_index, leaves.slot AS leaf_slot
     FROM orders JOIN leaves ON leaves.order_id = orders.id
     WHERE orders.status = 'awaiting_deposit' AND orders.final_hour IS NULL
       AND orders.valid_until < $1
     ORDER BY leaves.leaf_index`,
    [unixSeconds.toString()],
  )
  return rows.map((row) => ({
    ...awaitingOf(row),
    leaf: fieldFromBytes(bytesOf(row.leaf)),
    leafIndex: row.leaf_index,
    leafSlot: BigInt(row.leaf_slot),
  }))
}

/** Orders whose deposit wasn't seen yet, in rounds: the newest of each account or network first. */
export async function listUnseen(sql: Sql, limit: number): Promise<Uint8Array[]> {
  const rows = await sql.query<{ readonly id: Uint8Array }>(
    `SELECT id FROM (
       SELECT id, created_at,
              row_number() OVER (PARTITION BY account_id, network ORDER BY created_at DESC) AS turn
       FROM orders
       WHERE final_hour IS NULL AND status = 'awaiting_deposit' AND deposit_seen_at IS NULL
     ) AS unseen ORDER BY turn, created_at DESC LIMIT $1`,
    [limit],
  )
  return rows.map(({ id }) => bytesOf(id))
}

/** Records that a deposit was seen, at any commitment. */
export async function markSeen(
  sql: Sql,
  orderIds: readonly Uint8Array[],
  nowMs: number,
): Promise<void> {
  await sql.query(
    `UPDATE orders SET deposit_seen_at = $2, updated_at = $2
     WHERE deposit_seen_at IS NULL AND status = 'awaiting_deposit'
       AND id IN (SELECT decode(id, 'hex') FROM unnest($1::text[]) AS given (id))`,
    [orderIds.map(hexOf), new Date(nowMs)],
  )
}

/**
 * Marks an order whose deposit is final as `deposited`; returns false and changes nothing if it has moved on
 * already.
 */
export async function markDeposited(
  sql: Sql,
  deposit: RecordedDeposit,
  nowMs: number,
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE orders
     SET status = 'deposited', deposit_signature = $2, deposit_slot = $3, deposit_at = $4,
         leaf_index = $5, sealed_plan = decode($6, 'hex'), updated_at = $7,
         deposit_seen_at = COALESCE(deposit_seen_at, $7)
     WHERE id = decode($1, 'hex') AND status = ANY ($8::text[]) RETURNING id`,
    [
      hexOf(deposit.orderId),
      deposit.signature,
      deposit.slot.toString(),
      deposit.unixSeconds.toString(),
      deposit.leafIndex,
      hexOf(deposit.sealedPlan),
      new Date(nowMs),
      statusesBefore('deposited'),
    ],
  )
  return rows.length === 1
}

/**
 * Overwrites an awaiting order's terms with its deposit's; false if they name an asset that this database doesn't
 * list, or if the order no longer awaits a deposit.
 */
export async function adoptTerms(
  sql: Sql,
  { orderId, adopted }: RecordedDeposit,
): Promise<boolean> {
  if (adopted === undefined) return true
  const rows = await sql.query(
    `UPDATE orders
     SET sender = $2, source_mint = $3, destination_mint = $4, amount_in = $5, amount_out = $6,
         fee = $7, partner_fee = $8, deadline = $9, expiry = $10
     WHERE id = decode($1, 'hex') AND status = ANY ($11::text[])
       AND EXISTS (SELECT 1 FROM assets WHERE mint = $3::text)
       AND EXISTS (SELECT 1 FROM assets WHERE mint = $4::text)
     RETURNING id`,
    [
      hexOf(orderId),
      adopted.sender,
      adopted.sourceMint,
      adopted.destinationMint,
      adopted.amountIn.toString(),
      adopted.amountOut.toString(),
      adopted.fee.toString(),
      adopted.partnerFee.toString(),
      adopted.deadline.toString(),
      adopted.expiry.toString(),
      statusesBefore('deposited'),
    ],
  )
  return rows.length === 1
}

/**
 * Ends orders without a leaf whose last authorisation ended before the finalized clock. Runs only in the
 * transaction that completes the leaves up to that slot (I8). Returns their ids in hex. The condition that none is
 * final lets the database use the index of open orders; otherwise it would read all finished ones.
 */
export async function expireOverdue(
  sql: Sql,
  head: FinalizedHead,
  nowMs: number,
): Promise<string[]> {
  const rows = await sql.query<{ readonly id: string }>(
    `UPDATE orders SET status = 'expired', final_hour = ended.hour,
         updated_at = GREATEST(orders.updated_at, ended.hour)
     FROM (SELECT LEAST($2::timestamptz, ${LATEST_HOUR}) AS hour FROM chain_cursor) AS ended
     WHERE orders.final_hour IS NULL AND status = ANY ($3::text[]) AND valid_until < $1
       AND NOT EXISTS (SELECT 1 FROM leaves WHERE leaves.order_id = orders.id)
     RETURNING encode(id, 'hex') AS id`,
    [head.unixSeconds.toString(), hourOf(nowMs), statusesBefore('expired')],
  )
  return rows.map(({ id }) => id)
}

/** Ends overdue orders whose leaves are proven to be other notes (I8); returns their ids in hex. */
export async function expireDisowned(
  sql: Sql,
  orderIds: readonly Uint8Array[],
  head: FinalizedHead,
  nowMs: number,
): Promise<string[]> {
  if (orderIds.length === 0) return []
  const rows = await sql.query<{ readonly id: string }>(
    `UPDATE orders SET status = 'expired', final_hour = ended.hour,
         updated_at = GREATEST(orders.updated_at, ended.hour)
     FROM (SELECT LEAST($3::timestamptz, ${LATEST_HOUR}) AS hour FROM chain_cursor) AS ended
     WHERE status = ANY ($4::text[]) AND valid_until < $2
       AND orders.id IN (SELECT decode(id, 'hex') FROM unnest($1::text[]) AS given (id))
     RETURNING encode(orders.id, 'hex') AS id`,
    [orderIds.map(hexOf), head.unixSeconds.toString(), hourOf(nowMs), statusesBefore('expired')],
  )
  return rows.map(({ id }) => id)
}
