import { isAddress, showDecimal, type Amount } from '@sotto/protocol'
import type { QuoteRequest, QuoteResponse, Token } from '@sotto/sdk/server'
import { parseAmount, showAmount } from '../../look/amounts.ts'

/** Number of wallets in the crowd that a transfer can wait for, including the sender's. */
export const CROWD = 5

/** The delivery times from which a person can choose. During a longer time, more people can send the same amount. */
export const TIMINGS = [
  { id: 'fast', label: 'Immediately: never private', seconds: 0 },
  { id: 'usual', label: 'Usual delay', seconds: undefined },
  { id: 'latest', label: 'Within 50 minutes', seconds: 3_000 },
  { id: 'crowd', label: `Only in a crowd of ${CROWD}, or money back`, seconds: undefined },
] as const
export type Timing = (typeof TIMINGS)[number]['id']

/**
 * The delivery times that are offered. A swap can't wait for a crowd, because it can't be refunded in the asset that
 * was paid.
 */
export const timingsOf = (isSwap: boolean) => TIMINGS.filter(({ id }) => !isSwap || id !== 'crowd')

/** The form's values, as entered. */
export interface FormValues {
  readonly sourceId: string
  readonly destinationId: string
  readonly amount: string
  /** Whether the typed amount is the amount that is paid or the amount that arrives. */
  readonly mode: 'exact_in' | 'exact_out'
  readonly recipient: string
  readonly timing: Timing
  /**
   * For a swap, the amount in base units that the chosen suggestion delivers. Undefined if no suggestion is chosen,
   * or if the form has changed since.
   */
  readonly suggestedOut?: string | undefined
}

/** An empty form. */
export const emptyForm = (assetId: string): FormValues => ({
  ...{ sourceId: assetId, destinationId: assetId, amount: '', recipient: '' },
  // With `exact_out`, the recipient gets exactly the typed amount, and not an unusual amount that no one else sends.
  ...{ mode: 'exact_out', timing: 'usual' },
})

/** An amount that the service suggests. */
export type Suggestion = NonNullable<QuoteResponse['suggestions']>[number]

/** The form's values for a suggested amount. */
export function withSuggestion(
  { sourceId, destinationId }: FormValues,
  { amount, amountOut }: Suggestion,
  tokens: readonly Token[],
): Partial<FormValues> {
  const decimals = tokens.find(({ assetId }) => assetId === sourceId)?.decimals ?? 0
  // A swap fixes the amount that is paid. A send fixes the amount that arrives, so the form then shows the suggested
  // round amount.
  if (sourceId !== destinationId) {
    return { amount: showDecimal(amount, decimals), suggestedOut: amountOut }
  }
  return { amount: showDecimal(amountOut, decimals), mode: 'exact_out' }
}

/** The form's values after a change. If the amount or an asset changes, the suggestion is no longer chosen. */
export function changedForm(values: FormValues, part: Partial<FormValues>): FormValues {
  const isOther = 'amount' in part || 'sourceId' in part || 'destinationId' in part
  return { ...values, ...(isOther ? { suggestedOut: undefined } : {}), ...part }
}

/**
 * The amount in base units that the chosen suggestion should deliver, if the price has moved and the quote delivers a
 * different amount. Undefined otherwise.
 */
export function missedSuggestion(
  { suggestedOut }: FormValues,
  request: QuoteRequest | undefined,
  { quote }: QuoteResponse,
): string | undefined {
  const isAnswer = request !== undefined && request.amount === quote.amountIn
  return isAnswer && quote.amountOut !== suggestedOut ? suggestedOut : undefined
}

export interface FormErrors {
  readonly amount?: string
  readonly recipient?: string
}

export interface ReadForm {
  readonly errors: FormErrors
  /** The typed amount in the page's own format; undefined if the person typed it in that format. */
  readonly understood: string | undefined
  /** The request for a quote; undefined if a value is missing or wrong. */
  readonly request: QuoteRequest | undefined
}

/** Checks the form's values without asking the service, and makes the request for a quote. */
export function readForm(
  values: FormValues,
  tokens: readonly Token[],
  sender: string | undefined,
): ReadForm {
  const { sourceId, destinationId, mode, timing } = values
  const fixed = tokens.find(({ assetId }) => assetId === sourceId)
  const recipient = values.recipient.trim()
  const amount = parseAmount(values.amount, fixed?.decimals ?? 0)
  const errors = {
    ...(amount.kind === 'wrong' ? { amount: amount.why } : {}),
    ...(recipient === '' || isAddress(recipient)
      ? {}
      : { recipient: 'This is not a Solana address. Check that you copied all of it.' }),
  }
  const isWhole = amount.kind === 'amount' && isAddress(recipient) && sender !== undefined
  const understood =
    amount.kind === 'amount' ? readBack(values.amount, amount.base, fixed) : undefined
  if (!isWhole) return { errors, understood, request: undefined }
  const seconds = TIMINGS.find(({ id }) => id === timing)?.seconds
  const isSwap = sourceId !== destinationId
  return {
    ...{ errors, understood },
    request: {
      amount: `${amount.base}`,
      sourceAssetId: sourceId,
      destinationAssetId: destinationId,
      senderAddress: sender,
      recipientAddress: recipient,
      mode: isSwap ? 'exact_in' : mode,
      ...(seconds === undefined ? {} : { maxDelaySeconds: seconds }),
      ...(timing === 'crowd' && !isSwap ? { minCrowd: CROWD, crowdMissed: 'refund' } : {}),
    },
  }
}

/** The amount in the page's format; undefined if it was typed in that format. */
export function readBack(
  typed: string,
  base: Amount,
  token: Token | undefined,
): string | undefined {
  const decimals = token?.decimals ?? 0
  if (typed.trim() === showDecimal(base, decimals)) return undefined
  return `${showAmount(base, decimals)} ${token?.symbol ?? ''}`
}
