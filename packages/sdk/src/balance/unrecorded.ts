import type { Amount } from '@sotto/protocol'
import type { BalanceRecord, PaymentRequest, SavedBalance } from './balance-state.ts'

/**
 * A payment out of the balance that the chain shows, although the store has no record of it. Either another holder of
 * the secret made it, or the store was restored from a ticket or from an older copy.
 */
export interface UnrecordedPayment {
  readonly to: string
  /** Base units that the payee received, as a string of digits. */
  readonly payout: string
  /** The transaction; null if the node no longer has it. */
  readonly signature: string | null
}

/** The member of the balance's state that changes if the chain shows a payment that the store lacks. */
export const withUnrecorded = (
  { state }: BalanceRecord,
  shown: { readonly payee: string; readonly payout: Amount; readonly signature: string },
): Pick<SavedBalance, 'unrecorded'> => ({
  unrecorded: [...(state.unrecorded ?? []), unrecordedOf(shown)],
})

export const unrecordedOf = ({
  payee,
  payout,
  signature,
}: {
  readonly payee: string
  readonly payout: Amount
  readonly signature: string | undefined
}): UnrecordedPayment => ({ to: payee, payout: `${payout}`, signature: signature ?? null })

/**
 * True if this payment may be the requested one. Fees aren't recorded. So if the request includes the fee, every payment
 * to the payee up to the requested amount counts.
 */
export function isLike(
  { to, payout }: UnrecordedPayment,
  request: Pick<PaymentRequest, 'to' | 'amount' | 'mode'>,
): boolean {
  if (to !== request.to) return false
  return request.mode === 'exact_in'
    ? BigInt(payout) <= BigInt(request.amount)
    : payout === request.amount
}
