import { fieldToBytes, type DepositTerms } from '@sotto/protocol'
import type { Database } from '../../../src/adapters/store/sql.ts'

/** The data of an order that the service stores in addition to the deposit's terms. */
export interface KeptTerms {
  readonly epoch: number
  readonly leaf: bigint
  readonly expiry: bigint
  readonly amountOut: bigint
  readonly sealedTerms: Uint8Array
}

/** Inserts an order's row as the service does. */
export async function insertOrder(
  database: Database,
  terms: DepositTerms,
  kept: KeptTerms,
): Promise<void> {
  const now = new Date()
  await database.query(
    `INSERT INTO accounts (id, name, fee_bps_max, created_at) VALUES ('a', 'a', 100, $1)
     ON CONFLICT DO NOTHING`,
    [now],
  )
  await database.query(
    `INSERT INTO orders (id, account_id, quote_nonce, fingerprint, epoch, status, source_mint,
       destination_mint, amount_in, amount_out, value, partner_fee, sender, deadline, valid_until,
       expiry, inner_commitment, leaf, payload, last_valid_block_height, sealed_terms,
       sealed_response, created_at, updated_at)
     VALUES ($1, 'a', $1, $2, $3, 'awaiting_deposit', $4, $5, $6, $7, $8, 0, $9, $10, $11, $12,
       $13, $14, $15, 0, $16, $2, $17, $17)`,
    [
      terms.orderId,
      new Uint8Array(32),
      kept.epoch,
      terms.sourceMint,
      terms.destinationMint,
      `${terms.amountIn}`,
      `${kept.amountOut}`,
      `${terms.value}`,
      terms.sender,
      `${terms.deadline}`,
      `${terms.validUntil}`,
      `${kept.expiry}`,
      fieldToBytes(terms.inner),
      fieldToBytes(kept.leaf),
      terms.payload,
      kept.sealedTerms,
      now,
    ],
  )
}
