import { isAddress } from '@sotto/protocol'
import type { QuoteRequest, Token } from '@sotto/sdk/server'
import { parseAmount } from '../../look/amounts.ts'

/** How late a delivery may be: the later, the more others it may be mistaken for. */
export const TIMINGS = [
  { id: 'soon', label: 'Soon', seconds: undefined },
  { id: 'later', label: 'Within 10 minutes', seconds: 600 },
  { id: 'latest', label: 'Within 50 minutes', seconds: 3_000 },
] as const
export type Timing = (typeof TIMINGS)[number]['id']

/** What the person has entered. */
export interface FormValues {
  readonly sourceId: string
  readonly destinationId: string
  readonly amount: string
  /** Which side the amount fixes. */
  readonly mode: 'exact_in' | 'exact_out'
  readonly recipient: string
  readonly timing: Timing
}

export interface FormErrors {
  readonly amount?: string
  readonly recipient?: string
}

export interface ReadForm {
  readonly errors: FormErrors
  /** Undefined as long as something is missing or wrong. */
  readonly request: QuoteRequest | undefined
}

/** What of the form can be judged without the service, and the request that it makes. */
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
      : { recipient: 'This is no Solana address: it may be cut off or have a wrong character.' }),
  }
  const isWhole = amount.kind === 'amount' && isAddress(recipient) && sender !== undefined
  if (!isWhole) return { errors, request: undefined }
  const seconds = TIMINGS.find(({ id }) => id === timing)?.seconds
  const isSwap = sourceId !== destinationId
  return {
    errors,
    request: {
      amount: `${amount.base}`,
      sourceAssetId: sourceId,
      destinationAssetId: destinationId,
      senderAddress: sender,
      recipientAddress: recipient,
      mode: isSwap ? 'exact_in' : mode,
      ...(seconds === undefined ? {} : { maxDelaySeconds: seconds }),
    },
  }
}
