import {
  CLOSE_COMPUTE_UNITS,
  priorityLamports,
  SETTLE_COMPUTE_UNITS,
  type Address,
  type DepositTerms,
  type Settlement,
  type UnixSeconds,
} from '@sotto/protocol'
import type { Closable } from '../../packages/server/src/ports/settlement-chain.ts'

/** A transaction's call of the program. */
export type Message =
  | { readonly kind: 'deposit'; readonly terms: DepositTerms }
  | {
      readonly kind: 'settle'
      readonly mint: Address
      readonly settlement: Settlement
      /** True if the fee payer pays for the payee's token account if that is missing. */
      readonly opensAccount: boolean
      /** Micro-lamports per compute unit; undefined if no service sends it. */
      readonly unitPrice?: bigint
    }
  | {
      readonly kind: 'close'
      readonly closable: readonly Closable[]
      readonly unitPrice: bigint
    }
  /** Many deposits of an attacker; their notes and money aren't modelled. */
  | { readonly kind: 'flood'; readonly leaves: readonly bigint[] }

/** A signed transaction. */
export interface Transaction {
  readonly signature: string
  readonly feePayer: Address
  /** The last block height at which the transaction can land. */
  readonly lastValidHeight: number
  readonly message: Message
}

/** The price that a service's transaction offers for priority; undefined for other transactions. */
export const unitPriceIn = ({ message }: Transaction): bigint | undefined =>
  'unitPrice' in message ? message.unitPrice : undefined

const LAMPORTS_PER_SIGNATURE = 5_000n

/** Lamports of priority fee. */
export function priorityOf(transaction: Transaction): bigint {
  const isClosing = transaction.message.kind === 'close'
  const units = isClosing ? CLOSE_COMPUTE_UNITS : SETTLE_COMPUTE_UNITS
  return priorityLamports(unitPriceIn(transaction) ?? 0n, BigInt(units))
}

/** All fees of a transaction, in lamports. A deposit carries the sender's and the authoriser's signature. */
export const feeOf = (transaction: Transaction): bigint =>
  (transaction.message.kind === 'deposit' ? 2n : 1n) * LAMPORTS_PER_SIGNATURE +
  priorityOf(transaction)

/** A transaction in a block. */
export interface Landed {
  readonly transaction: Transaction
  /** The transaction's place among all transactions. A transaction with a larger position landed later. */
  readonly position: number
  readonly slot: number
  /** The chain's clock in its block. */
  readonly unixSeconds: UnixSeconds
  /** The reason if it failed. A failed transaction also lands and costs its fee. */
  readonly failure: string | undefined
  /** The amount that a settlement's vault paid. */
  readonly paid: bigint
  /** True if the fee payer paid for a token account. */
  readonly hasOpened: boolean
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
