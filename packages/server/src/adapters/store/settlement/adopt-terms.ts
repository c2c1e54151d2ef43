import { statusesBefore } from '../../../domain/order-state.ts'
import type { RecordedDeposit } from '../../../ports/follow-store.ts'
import type { Sql } from '../sql.ts'
import { hexOf } from './column-values.ts'

/**
 * Writes over an awaiting order's terms what its deposit says; false where that names an asset which
 * this database doesn't list, or the order waits no more.
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
