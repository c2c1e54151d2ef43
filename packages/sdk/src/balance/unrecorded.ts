import { takeOut, type Amount } from '@sotto/protocol'
import { DisagreementError } from '../transfer/errors.ts'
import type {
  BalanceRecord,
  PaymentRequest,
  SavedBalance,
  UnrecordedPayment,
} from './balance-state.ts'
import { BalanceError } from './errors.ts'
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

type Wanted = Pick<PaymentRequest, 'to' | 'amount' | 'mode'>
/**
 * Signatures of unrecorded payments; null for a payment whose signature the node didn't show. Each entry stands for one
 * payment, because a node could show one signature for several payments.
 */
export type Checked = readonly UnrecordedPayment['signature'][]

/**
 * True if this payment may be the requested one. Fees aren't recorded. So if the request includes the fee, every
 * payment to the payee up to the requested amount counts.
 */
export function isLike({ to, payout }: UnrecordedPayment, request: Wanted): boolean {
  if (to !== request.to) return false
  return request.mode === 'exact_in'
    ? BigInt(payout) <= BigInt(request.amount)
    : payout === request.amount
}

/**
 * The member of the balance's state that changes when checked payments are deleted: unrecorded payments like the
 * requested one that a person has checked.
 */
export const withoutChecked = (
  { state: { unrecorded = [] } }: BalanceRecord,
  request: Wanted,
  checked: Checked,
) => {
  const unused = [...checked]
  const isLeft = (one: UnrecordedPayment) =>
    !isLike(one, request) || !takeOut(unused, one.signature)
  return { unrecorded: unrecorded.filter(isLeft) }
}

/** The member of the balance's state that changes if a signed payment is dropped because it can't land any more. */
export const withLapsed = (
  { state }: BalanceRecord,
  key: string,
): Pick<SavedBalance, 'lapsed'> => ({
  lapsed: [...new Set([...(state.lapsed ?? []), key])],
})

/**
 * Refuses a payment if the chain shows a payment like it that the store has no record of. The payment on the chain may
 * be the requested one. Another copy of the store may have made it. Or this process may have signed it, and a node then
 * showed wrongly that it couldn't land any more. A closing payment isn't refused, because it pays the owner's wallet.
 * @param checked the signatures of the unrecorded payments that a person has checked. The function ignores these
 *   payments.
 * @throws DisagreementError if an earlier signature of the payment was dropped; otherwise BalanceError
 *   PAYMENT_UNCERTAIN.
 */
export function assertNotMade(
  record: BalanceRecord,
  key: string,
  request: Wanted,
  checked: Checked = [],
): void {
  if (isClosingKey(key)) return
  const { unrecorded } = withoutChecked(record, request, checked)
  const made = unrecorded.find((one) => isLike(one, request))
  if (made === undefined) return
  const next =
    `${made.payout} base units to ${made.to} in the transaction ${made.signature ?? 'unknown'}. ` +
    'If it is another payment, name it in `except`, or call forgetUnrecorded'
  if (record.state.lapsed?.includes(key) === true) {
    throw new DisagreementError(
      `your node showed first that this payment could not land any more, and then a payment like it: ${next}`,
    )
  }
  const message = `the chain shows a payment like this one, and the store has no record of it: ${next}`
  throw new BalanceError('PAYMENT_UNCERTAIN', message)
}
