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

/** The instruction of the program that a transaction calls. */
export type Message =
  | { readonly kind: 'deposit'; readonly terms: DepositTerms }
  | {
      readonly kind: 'settle'
      readonly mint: Address
      readonly settlement: Settlement
      /** True if the fee payer creates and pays for the payee's token account if that account doesn't exist. */
      readonly opensAccount: boolean
      /** The compute unit price in micro-lamports; undefined if the transaction comes from no service. */
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

/** The compute unit price that a service's transaction offers, in micro-lamports; undefined for other transactions. */
export const unitPriceIn = ({ message }: Transaction): bigint | undefined =>
  'unitPrice' in message ? message.unitPrice : undefined

const LAMPORTS_PER_SIGNATURE = 5_000n

/** The priority fee of a transaction, in lamports. */
export function priorityOf(transaction: Transaction): bigint {
  const isClosing = transaction.message.kind === 'close'
  const units = isClosing ? CLOSE_COMPUTE_UNITS : SETTLE_COMPUTE_UNITS
  return priorityLamports(unitPriceIn(transaction) ?? 0n, BigInt(units))
}

/** All fees of a transaction, in lamports. A deposit has two signatures: the sender's and the authoriser's. */
export const feeOf = (transaction: Transaction): bigint =>
  (transaction.message.kind === 'deposit' ? 2n : 1n) * LAMPORTS_PER_SIGNATURE +
  priorityOf(transaction)

/** A transaction that is in a block. */
export interface Landed {
  readonly transaction: Transaction
  /**
   * The transaction's number. All landed transactions and all of the simulator's own changes of the chain are numbered
   * together, in their order. A larger position means that the transaction landed later.
   */
  readonly position: number
  readonly slot: number
  /** The time of the chain's clock in the transaction's block. */
  readonly unixSeconds: UnixSeconds
  /**
   * The reason why the transaction failed; undefined if it succeeded. A failed transaction also lands and costs its
   * fee.
   */
  readonly failure: string | undefined
  /** The amount that the vault paid for a settlement, in base units. */
  readonly paid: bigint
  /** True if the fee payer paid for a new token account. */
  readonly hasOpened: boolean
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
