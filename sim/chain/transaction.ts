import type { Address, DepositTerms, Settlement, UnixSeconds } from '@sotto/protocol'
import type { Closable } from '../../packages/server/src/ports/settlement-chain.ts'

/** A transaction's call of the program. */
export type Message =
  | { readonly kind: 'deposit'; readonly terms: DepositTerms }
  | {
      readonly kind: 'settle'
      readonly mint: Address
      readonly settlement: Settlement
      /** Whether the fee payer pays for the payee's token account if it is missing. */
      readonly opensAccount: boolean
    }
  | { readonly kind: 'close'; readonly closable: readonly Closable[] }
  /** Many deposits of an attacker; their notes and money aren't modelled. */
  | { readonly kind: 'flood'; readonly leaves: readonly bigint[] }

/** A signed transaction. */
export interface Transaction {
  readonly signature: string
  readonly feePayer: Address
  /** The last height at which it can land. */
  readonly lastValidHeight: number
  readonly message: Message
}

/** A transaction in a block. */
export interface Landed {
  readonly transaction: Transaction
  /** Its place among all transactions; larger ones came later. */
  readonly position: number
  readonly slot: number
  /** The chain's clock in its block. */
  readonly unixSeconds: UnixSeconds
  /** The reason of a failure: failed transactions also land and cost their fee. */
  readonly failure: string | undefined
  /** The amount that a settlement's vault paid. */
  readonly paid: bigint
  /** Whether its fee payer paid for a token account. */
  readonly hasOpened: boolean
}

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
