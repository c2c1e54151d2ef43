import type { QuoteResponse } from '@sotto/sdk/server'
import { findAsset } from '../amounts/asset.ts'
import { toBaseUnits } from '../amounts/decimal.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { ask } from '../output/ask.ts'
import { showQuote } from '../output/show-quote.ts'
import { listTokens } from './request.ts'

export interface ApproveOptions {
  readonly yes?: boolean
  /** In whole coins of the source asset. */
  readonly maxFee?: string
}

/**
 * Decides about quotes: the person at the terminal, or `--yes`, within `--max-fee` in either case.
 */
export function approver(
  context: CliContext,
  options: ApproveOptions,
): (quoted: QuoteResponse) => Promise<boolean> {
  const { output, signal } = context
  const { yes, maxFee } = options
  return async (quoted) => {
    const { quote } = quoted
    if (yes === true && maxFee === undefined) return true
    const listed = await listTokens(context)
    const source = findAsset(listed, quote.sourceAssetId)
    const destination = findAsset(listed, quote.destinationAssetId)
    if (maxFee !== undefined) {
      const most = toBaseUnits(maxFee, source.decimals, source.symbol)
      if (BigInt(quote.fee) > most) return false
    }
    if (yes === true) return true
    assertAskable(context, options)
    output.note(showQuote(quoted, source, destination))
    return ask('Send this?', signal)
  }
}

/** @throws CliError where neither a person nor `--yes` can accept a quote. */
export function assertAskable({ output }: CliContext, { yes }: ApproveOptions): void {
  if (yes === true || output.isInteractive) return
  throw new CliError(
    EXIT.usage,
    'NOBODY_TO_ASK',
    'there is no terminal to ask whether to pay',
    'repeat with --yes, and with --max-fee to bound what is accepted',
  )
}
