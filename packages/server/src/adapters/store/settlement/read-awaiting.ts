import { fieldFromBytes, type Address } from '@sotto/protocol'
import type { AwaitingOrder } from '../../../ports/follow-store.ts'
import type { Sql } from '../sql.ts'
import { bytesOf, hexOf } from './column-values.ts'

/** What makes an `AwaitingOrder`. */
export interface AwaitingRow {
  readonly id: Uint8Array
  readonly epoch: number
  readonly sender: Address
  readonly source_mint: Address
  readonly destination_mint: Address
  readonly amount_in: string
  readonly amount_out: string
  readonly fee: string
  readonly partner_fee: string
  readonly deadline: string
  readonly expiry: string
  readonly inner_commitment: Uint8Array
  readonly sealed_terms: Uint8Array
}

export const AWAITING_COLUMNS = `orders.id, orders.epoch::integer AS epoch, orders.sender,
  orders.source_mint, orders.destination_mint, orders.amount_in, orders.amount_out, orders.fee,
  orders.partner_fee, orders.deadline, orders.expiry, orders.inner_commitment, orders.sealed_terms`

/** Of these orders, those that still wait for their deposit. */
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

/** An order as its row says. */
export function awaitingOf(row: AwaitingRow): AwaitingOrder {
  return {
    orderId: bytesOf(row.id),
    epoch: row.epoch,
    sender: row.sender,
    sourceMint: row.source_mint,
    destinationMint: row.destination_mint,
    amountIn: BigInt(row.amount_in),
    amountOut: BigInt(row.amount_out),
    fee: BigInt(row.fee),
    partnerFee: BigInt(row.partner_fee),
    deadline: BigInt(row.deadline),
    expiry: BigInt(row.expiry),
    inner: fieldFromBytes(bytesOf(row.inner_commitment)),
    sealedTerms: bytesOf(row.sealed_terms),
  }
}
