import type { Amount } from '@sotto/protocol'
import type { QuoteResponse } from '@sotto/sdk/server'
import { toBaseUnits } from '../../amounts/decimal.ts'
import { showCoins, type BalanceAsset } from '../../balances/balance-asset.ts'
import type { CliContext } from '../../context.ts'
import { fieldsTable } from '../../output/table.ts'
import { assertAskable, type ApproveOptions } from '../approve.ts'

export interface PaymentToApprove {
  readonly recipient: string
  readonly asset: BalanceAsset
  /** The balance's value before the payment, in base units. */
  readonly left: () => Amount
  readonly question: string
  /** Table rows that say who can link the payment, and how to make this harder. Empty if they were already shown. */
  readonly privacyOf?: (quoted: QuoteResponse) => readonly (readonly [string, string])[]
}

/**
 * Accepts or declines the quote for a payment from a balance. Either a person decides, or `--yes` accepts. A fee
 * above `--max-fee` is always declined.
 */
export function paymentApprover(
  context: CliContext,
  options: Pick<ApproveOptions, 'yes' | 'maxFee'>,
  { recipient, asset, left, question, privacyOf }: PaymentToApprove,
): (quoted: QuoteResponse) => Promise<boolean> {
  const { output, signal } = context
  const { yes, maxFee } = options
  const most = maxFee === undefined ? undefined : toBaseUnits(maxFee, asset.decimals, asset.symbol)
  return async (quoted) => {
    const { quote } = quoted
    if (most !== undefined && BigInt(quote.fee) > most) return false
    if (yes === true) return true
    assertAskable(context, options)
    output.note(
      fieldsTable([
        ['recipient', recipient],
        ['arrives', showCoins(quote.amountOut, asset)],
        ['fee', showCoins(quote.fee, asset)],
        ['balance pays', showCoins(quote.amountIn, asset)],
        ['balance keeps', showCoins(left() - BigInt(quote.amountIn), asset)],
        ...(privacyOf?.(quoted) ?? []),
        ['valid until', quote.expiresAt],
      ]),
    )
    return output.ask(question, signal)
  }
}
