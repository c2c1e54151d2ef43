import type { CallToolResult } from '@modelcontextprotocol/server'
import { toDecimal } from '../../amounts/decimal.ts'
import type { PaidAsset } from '../open-desk.ts'
import type { PaymentDesk } from '../payments/payment-desk.ts'
import { resultOf } from './tool-result.ts'

/** What a payment would cost, and whether it would be made. */
export async function quotePayment(
  { name, decimals }: PaidAsset,
  desk: PaymentDesk,
  { to, amount }: { readonly to: string; readonly amount: bigint },
): Promise<CallToolResult> {
  const { cost, isWithinLimits, needsConfirmation } = await desk.quote(to, amount)
  const show = (units: bigint) => toDecimal(units, decimals)
  const quoted = {
    ...{ asset: name, amount: show(amount), fee: show(cost.fee), total: show(cost.total) },
    ...{ isWithinLimits, needsConfirmation },
  }
  const verdict = !isWithinLimits
    ? 'The limits do not allow it now'
    : needsConfirmation
      ? 'A person has to confirm it'
      : 'The limits allow it'
  const text = `A payment of ${quoted.amount} ${name} costs ${quoted.fee} ${name} in fees and takes ${quoted.total} ${name} in total. ${verdict}.`
  return resultOf(quoted, text)
}
