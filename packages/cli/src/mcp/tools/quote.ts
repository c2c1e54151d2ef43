import type { Amount } from '@sotto/protocol'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { toDecimal } from '../../amounts/decimal.ts'
import { isoOfSeconds } from '../../output/show-time.ts'
import type { OpenDesk, SoonAfter } from '../open-desk.ts'
import { resultOf } from './tool-result.ts'

type Quoting = Pick<OpenDesk, 'asset' | 'desk' | 'soon'>

const warningOf = ({ payAt }: SoonAfter): string =>
  ` If the payment is made now, its time points to the top-up, so anyone can guess whose money it is. If the payment can wait, make it at ${isoOfSeconds(payAt)}, a moment drawn at random.`

const PAID_BEFORE =
  ' This recipient was paid through the service before, which everyone can see. If this wallet made one of those payments, each further payment to this recipient makes it easier to find the wallet, even if no single payment is easy to link.'

/** Names the suggested round amounts. The text doesn't say whether others pay them now, because this isn't known. */
function joined(suggestions: readonly { readonly amount: string }[], name: string): string {
  if (suggestions.length === 0) return ''
  const amounts = suggestions.map(({ amount }) => amount).join(', ')
  return ` Round amounts stand out a little less than odd ones. If the amount can be chosen, choose one of these, in ${name}: ${amounts}.`
}

/** Returns the cost of a payment, whether `send` would make it, and whether its time would reveal the top-up. */
export async function quotePayment(
  { asset, desk, soon: readSoon }: Quoting,
  { to, amount }: { readonly to: string; readonly amount: Amount },
): Promise<CallToolResult> {
  const { name, decimals } = asset
  const { cost, isWithinLimits, needsConfirmation } = await desk.quote(to, amount)
  const soon = await readSoon()
  const show = (units: bigint) => toDecimal(units, decimals)
  const quoted = {
    ...{ asset: name, amount: show(amount), fee: show(cost.fee), total: show(cost.total) },
    ...{ isWithinLimits, needsConfirmation },
    suggestions: cost.suggestions.map((one) => ({ amount: show(one.amount), crowd: one.crowd })),
    recipientPaidBefore: cost.isPaidBefore,
    linkableUntil: soon === undefined ? null : isoOfSeconds(soon.linkableUntil),
    payAt: soon === undefined ? null : isoOfSeconds(soon.payAt),
  }
  const verdict = !isWithinLimits
    ? 'The limits do not allow it now'
    : needsConfirmation
      ? 'A person has to confirm it'
      : 'The limits allow it'
  const text = `A payment of ${quoted.amount} ${name} costs ${quoted.fee} ${name} in fees and takes ${quoted.total} ${name} in total. ${verdict}.${soon === undefined ? '' : warningOf(soon)}${cost.isPaidBefore ? PAID_BEFORE : ''}`
  return resultOf(quoted, `${text}${joined(quoted.suggestions, name)}`)
}
