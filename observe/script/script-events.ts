import type { CrowdWish } from '../../packages/server/src/domain/crowd.ts'
import type { AmountKind, PlannedDelays, Token, Way } from '../load/plan.ts'
import type { NoteKind } from './behaviour.ts'

/** How a transfer that waited for its crowd ended. */
export type CrowdOutcome = 'came' | 'delivered' | 'refunded'

/** A deposit of a scripted chain. Amounts are base units. */
export interface DepositEvent {
  readonly is: 'deposit'
  readonly seconds: number
  readonly kind: 'transfer' | 'balance'
  readonly wallet: number
  readonly source: Token
  readonly asset: Token
  readonly amountIn: bigint
  readonly partnerFee: bigint
  readonly value: bigint
  readonly madeSeconds: number
  readonly expiry: number
}

/** A settlement of a scripted chain. Amounts are base units. */
export interface SettlementEvent {
  readonly is: 'settlement'
  readonly seconds: number
  readonly kind: NoteKind
  readonly deposit: DepositEvent
  /** The payee's number; undefined if the payment goes to the wallet that made the deposit. */
  readonly payee: number | undefined
  readonly payout: bigint
  readonly fee: bigint
  readonly opensAccount: boolean
  /** How the payment was made, as in `TrueLink`. */
  readonly way: Way | 'missed'
  /**
   * The kind of the amount. It is `rest` if the owner of a balance pays the rest to their own wallet to close the
   * balance.
   */
  readonly amountKind: AmountKind | 'rest'
  /** The delays that the transfer asked for; undefined if it asked for none. */
  readonly delays?: PlannedDelays | undefined
  /** The crowd that the transfer waited for, and how the wait ended; undefined if the transfer waited for none. */
  readonly crowd?: (CrowdWish & { readonly outcome: CrowdOutcome }) | undefined
}

/** A change of an asset's tariff. */
export interface TariffEvent {
  readonly is: 'tariff'
  readonly seconds: number
  readonly asset: Token
}

/** A stranger opens a payee's USDC account. */
export interface OpeningEvent {
  readonly is: 'opening'
  readonly seconds: number
  readonly payee: number
}

export type ScriptEvent = DepositEvent | SettlementEvent | TariffEvent | OpeningEvent
