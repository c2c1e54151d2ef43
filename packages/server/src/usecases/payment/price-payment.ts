import { amount, least, U64_MAX, type Amount } from '@sotto/protocol'
import { leastGross, payoutOf, settleFee, type SettleTariff } from '../../domain/fees.ts'
import type { Limits, Mode } from '../../domain/limits.ts'
import { ServiceError } from '../service-error.ts'

export interface PricedPayment {
  /** The amount that leaves the balance: the payout plus the fee. */
  readonly gross: Amount
  readonly payout: Amount
  readonly fee: Amount
  readonly limits: Limits
}

/**
 * The amounts of a payment. The fee is the same as for any settlement with this gross amount. `amount` is the gross
 * amount for exact_in, and the payout for exact_out.
 *
 * @throws ServiceError AMOUNT_OUT_OF_RANGE below the minimum payment, BALANCE_TOO_SMALL above the maximum payment.
 */
export function pricePayment(
  asked: { readonly mode: Mode; readonly amount: Amount },
  balance: Amount,
  payoutMin: Amount,
  tariff: SettleTariff,
): PricedPayment {
  const isIn = asked.mode === 'exact_in'
  const payoutMax = payoutOf(balance, tariff)
  const limits = isIn
    ? { min: leastGross(payoutMin, tariff), max: balance }
    : { min: payoutMin, max: payoutMax < 0n ? 0n : payoutMax }
  if (asked.amount > limits.max || limits.max < limits.min) {
    throw outside('BALANCE_TOO_SMALL', limits)
  }
  if (asked.amount < limits.min) throw outside('AMOUNT_OUT_OF_RANGE', limits)
  const gross = isIn ? asked.amount : leastGross(asked.amount, tariff)
  const fee = settleFee(gross, tariff)
  return { gross: amount(gross), payout: amount(gross - fee), fee: amount(fee), limits }
}

/** If even the largest amount doesn't cover the fee, `min` exceeds 64 bits. The largest amount is then the bound. */
const outside = (code: 'AMOUNT_OUT_OF_RANGE' | 'BALANCE_TOO_SMALL', { min, max }: Limits) =>
  new ServiceError(code, { param: 'amount', min: `${least<bigint>(min, U64_MAX)}`, max: `${max}` })
