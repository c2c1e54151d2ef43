import type { QuoteResponse } from '@sotto/sdk/server'
import { toBaseUnits } from '../amounts/decimal.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { showQuote, type QuotedTransfer } from '../output/show-quote.ts'
import { readAssets } from './request.ts'

export interface ApproveOptions {
  readonly yes?: boolean
  /** The maximum accepted fee, in whole coins of the source asset. */
  readonly maxFee?: string
  /** The minimum that must arrive, in whole coins of the destination asset. */
  readonly minOut?: string
}

/**
 * Accepts or declines quotes. Either a person at the terminal decides, or `--yes` accepts. `--max-fee` and
 * `--min-out` apply in both cases. Amounts are shown with the decimals from the chain, not with those from the
 * service.
 */
export function approver(
  context: CliContext,
  options: ApproveOptions,
  transfer: QuotedTransfer,
): (quoted: QuoteResponse) => Promise<boolean> {
  const { output, signal } = context
  const { yes, maxFee, minOut } = options
  return async (quoted) => {
    const { quote } = quoted
    if (yes === true && maxFee === undefined && minOut === undefined) return true
    const assets = await readAssets(context, quote.sourceAssetId, quote.destinationAssetId)
    const { source, destination } = assets
    if (maxFee !== undefined) {
      const most = toBaseUnits(maxFee, source.decimals, source.symbol)
      if (BigInt(quote.fee) > most) return false
    }
    if (minOut !== undefined) {
      const least = toBaseUnits(minOut, destination.decimals, destination.symbol)
      if (BigInt(quote.amountOut) < least) return false
    }
    if (yes === true) return true
    assertAskable(context, options)
    output.note(await showQuote(quoted, source, destination, transfer))
    const { privacyInWords } = await import('@sotto/sdk/wallet')
    const { hiding, verdict } = privacyInWords(quoted, transfer)
    if (!(await output.ask('Send this?', signal))) return false
    if (hiding !== 'none') return true
    const linked =
      verdict === 'yes'
        ? 'Anyone can link this transfer to you.'
        : `Can anyone link this transfer to you? Answer: ${verdict}.`
    return output.ask(`${linked} Send it anyway?`, signal)
  }
}

/** @throws CliError if no one can accept a quote: there is no terminal, and `--yes` isn't set. */
export function assertAskable({ output }: CliContext, { yes }: ApproveOptions): void {
  if (yes === true || output.isInteractive) return
  throw new CliError(
    EXIT.usage,
    'NOBODY_TO_ASK',
    'there is no terminal to ask whether to pay',
    'repeat with --yes, and with --max-fee and --min-out to limit what is accepted',
  )
}
