import type { Amount } from '@sotto/protocol'
import type {
  BalanceRecord,
  PaymentRequest,
  SavedBalance,
  UnrecordedPayment,
} from './balance-state.ts'

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
