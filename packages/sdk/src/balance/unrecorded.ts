import type { Amount } from '@sotto/protocol'
import { DisagreementError } from '../transfer/errors.ts'
import type {
  BalanceRecord,
  PaymentRequest,
  SavedBalance,
  UnrecordedPayment,
} from './balance-state.ts'
import { isClosingKey } from './payment-keys.ts'

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
 * True if this payment may be the requested one. Fees aren't recorded. So if the request includes the fee, every
 * payment to the payee up to the requested amount counts.
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

/** The member of the balance's state that changes if a signed payment is dropped because it can't land any more. */
export const withLapsed = (
  { state }: BalanceRecord,
  key: string,
): Pick<SavedBalance, 'lapsed'> => ({
  lapsed: [...new Set([...(state.lapsed ?? []), key])],
})

/**
 * Refuses a payment whose earlier signature was dropped, if the chain shows a payment like it that the store has no
 * record of. If the node showed a wrong clock before, the payment on the chain may be the dropped payment. A closing
 * payment isn't refused, because it pays the owner's wallet.
 * @throws DisagreementError.
 */
export function assertNotMade(
  { state }: BalanceRecord,
  key: string,
  request: Pick<PaymentRequest, 'to' | 'amount' | 'mode'>,
): void {
  const { lapsed = [], unrecorded = [] } = state
  if (isClosingKey(key) || !lapsed.includes(key)) return
  const made = unrecorded.find((one) => isLike(one, request))
  if (made === undefined) return
  throw new DisagreementError(
    'your node showed first that this payment could not land any more, and then a payment like it: transaction ' +
      `${made.signature ?? 'unknown'}. If it is another payment, call forgetUnrecorded and pay again`,
  )
}
