import { fieldFromBytes, type Address } from '@sotto/protocol'
import type { AwaitingOrder } from '../../../ports/follow-store.ts'
import type { Sql } from '../sql.ts'
import { bytesOf, hexOf } from './column-values.ts'

interface Row {
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

/** Of these orders, those that still wait for their deposit. */
export async function readAwaiting(
  sql: Sql,
  orderIds: readonly Uint8Array[],
): Promise<AwaitingOrder[]> {
  const rows = await sql.query<Row>(
    `SELECT id, epoch::integer AS epoch, sender, source_mint, destination_mint, amount_in,
            amount_out, fee, partner_fee, deadline, expiry, inner_commitment, sealed_terms
     FROM orders
     WHERE status = 'awaiting_deposit'
       AND id IN (SELECT decode(id, 'hex') FROM unnest($1::text[]) AS given (id))`,
    [orderIds.map(hexOf)],
  )
  return rows.map((row) => ({
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
  }))
}
