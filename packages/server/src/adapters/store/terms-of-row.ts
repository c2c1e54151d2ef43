import { fieldFromBytes, type Address } from '@sotto/protocol'
import { bytesOf } from './column-values.ts'

/** The columns of a note, as both databases give them: numeric and bigint as digits. */
export interface NoteRow {
  readonly sender: Address
  readonly source_mint: Address
  readonly destination_mint: Address
  readonly amount_out: string
  readonly fee: string
  readonly expiry: string
  readonly inner_commitment: Uint8Array
}

/** The columns of an order's terms. */
export interface TermsRow extends NoteRow {
  readonly amount_in: string
  readonly partner_fee: string
  readonly deadline: string
}

export const noteTermsOfRow = (row: NoteRow) => ({
  sender: row.sender,
  sourceMint: row.source_mint,
  destinationMint: row.destination_mint,
  amountOut: BigInt(row.amount_out),
  fee: BigInt(row.fee),
  expiry: BigInt(row.expiry),
  inner: fieldFromBytes(bytesOf(row.inner_commitment)),
})

export const termsOfRow = (row: TermsRow) => ({
  ...noteTermsOfRow(row),
  amountIn: BigInt(row.amount_in),
  partnerFee: BigInt(row.partner_fee),
  deadline: BigInt(row.deadline),
})
