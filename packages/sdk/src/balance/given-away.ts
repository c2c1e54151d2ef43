import type { Amount, UnixSeconds } from '@sotto/protocol'

/** A reason why anyone can easily link a payment with the wallet that paid into the balance. */
export type GivenAwayBy =
  /** The payment is made so soon after the top-up that its time points to the top-up. */
  | 'time'
  /** The payment sends everything that was paid in. So the two amounts match, at whatever time the payment is made. */
  | 'amount'
  /**
   * The payment takes everything that remains after earlier payments. So the payments of the balance add up exactly to
   * what was paid in, and anyone can search for payments with this sum.
   */
  | 'sum'
  /** The payment goes to the wallet that paid in. */
  | 'own_wallet'

/** The balance before the payment. */
export interface PayingBalance {
  /** The wallet that paid in. */
  readonly senderAddress: string
  /** Base units. */
  readonly value: Amount
  /** See `ShownNote`. Null if the time of a payment can't point to the top-up. */
  readonly linkableUntil: UnixSeconds | null
  readonly hasPaid: boolean
}

export interface PlannedPayment {
  readonly to: string
  /** Base units that leave the balance, fees included; undefined if they aren't known yet. */
  readonly gross: Amount | undefined
  /** The time of the payment, in seconds since 1970 by the chain's clock. */
  readonly at: UnixSeconds
}

/** The reasons why a payment would be easy to link; empty if the SDK knows none. */
export function givenAwayBy(
  { senderAddress, value, linkableUntil, hasPaid }: PayingBalance,
  { to, gross, at }: PlannedPayment,
): GivenAwayBy[] {
  return [
    ...(linkableUntil !== null && at < linkableUntil ? (['time'] as const) : []),
    ...(gross === value ? ([hasPaid ? 'sum' : 'amount'] as const) : []),
    ...(to === senderAddress ? (['own_wallet'] as const) : []),
  ]
}
