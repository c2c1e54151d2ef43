import { amount, fieldFromBytes, unixSeconds, type Address } from '@sotto/protocol'
import { bytesOf } from './column-values.ts'

/** The columns of a note as both kinds of database return them, with numeric and bigint values as strings of digits. */
export interface NoteRow {
  readonly sender: Address
  readonly source_mint: Address
  readonly destination_mint: Address
  readonly value: string
  readonly amount_out: string
  readonly deadline: string
  readonly expiry: string
  readonly inner_commitment: Uint8Array
  readonly leaf: Uint8Array
}

/** The columns of an order's terms. */
export interface TermsRow extends NoteRow {
  readonly amount_in: string
  readonly partner_fee: string
}

export const noteTermsOfRow = (row: NoteRow) => ({
  sender: row.sender,
  sourceMint: row.source_mint,
  destinationMint: row.destination_mint,
  value: amount(BigInt(row.value)),
  amountOut: amount(BigInt(row.amount_out)),
  deadline: unixSeconds(BigInt(row.deadline)),
  expiry: unixSeconds(BigInt(row.expiry)),
  inner: fieldFromBytes(bytesOf(row.inner_commitment)),
  leaf: fieldFromBytes(bytesOf(row.leaf)),
})

export const termsOfRow = (row: TermsRow) => ({
  ...noteTermsOfRow(row),
  amountIn: amount(BigInt(row.amount_in)),
  partnerFee: amount(BigInt(row.partner_fee)),
})
