import { isAddress, showDecimal } from '@sotto/protocol'
import type { ShownNote } from '@sotto/sdk/balance'
import type { QuoteRequest, Token } from '@sotto/sdk/server'
import { parseAmount, showAmount } from '../../../look/amounts.ts'
import type { NewPayment } from './balance-phase.ts'
import type { Suggestion } from '../transfer-form.ts'
import type { Draft } from './use-balance-book.ts'

/** The form's values, as entered. */
export interface PaymentValues {
  readonly amount: string
  readonly recipient: string
  /** `exact_in` only if the whole rest is sent. */
  readonly mode: NewPayment['mode']
}

export const emptyPayment = (draft: Draft | undefined): PaymentValues => ({
  ...{ amount: draft?.amount ?? '', recipient: draft?.recipient ?? '', mode: 'exact_out' },
})

/** The form's values that send the whole rest. */
export const allOf = ({ value }: ShownNote, token: Token | undefined): Partial<PaymentValues> => ({
  ...{ amount: showDecimal(value, token?.decimals ?? 0), mode: 'exact_in' },
})

/** The form's values that send an amount which the recipient gets exactly. */
export const exactly = (
  { amountOut }: Suggestion,
  token: Token | undefined,
): Partial<PaymentValues> => ({
  ...{ amount: showDecimal(amountOut, token?.decimals ?? 0), mode: 'exact_out' },
})

/**
 * True if an amount in base units has at most two digits before its trailing zeros. Others may send the same round
 * amount.
 */
export const isRound = (base: string): boolean => /^\d{1,2}0*$/.test(base)

export interface ReadPayment {
  readonly errors: { readonly amount?: string; readonly recipient?: string }
  /** The typed amount in the page's own format; undefined if the person typed it in that format. */
  readonly understood: string | undefined
  /** `payment` and `request` are undefined if a value is missing or wrong. */
  readonly payment: NewPayment | undefined
  readonly request: QuoteRequest | undefined
}

/** Without the asset's decimals, a typed amount would be read as base units. */
const UNLISTED =
  'The service does not list the asset of this balance now, so no amount can be read. Reload the page later.'

/** Checks the form's values without asking the service, and makes the payment and its request for a quote. */
export function readPayment(
  { amount: typed, recipient, mode }: PaymentValues,
  note: ShownNote,
  token: Token | undefined,
): ReadPayment {
  const nothing = { understood: undefined, payment: undefined, request: undefined }
  if (token === undefined) return { errors: { amount: UNLISTED }, ...nothing }
  const { decimals, symbol } = token
  const read = parseAmount(typed, decimals)
  const to = recipient.trim()
  const errors = {
    ...(read.kind === 'wrong' ? { amount: read.why } : {}),
    ...(to === '' || isAddress(to)
      ? {}
      : { recipient: 'This is not a Solana address. Check that you copied all of it.' }),
  }
  if (read.kind !== 'amount') return { errors, ...nothing }
  const isAsTyped = typed.trim() === showDecimal(read.base, decimals)
  const understood = isAsTyped ? undefined : `${showAmount(read.base, decimals)} ${symbol}`
  if (!isAddress(to)) return { errors, ...nothing, understood }
  const payment = { to, amount: `${read.base}`, mode }
  return { errors, understood, payment, request: requestOf(payment, note) }
}

/** The request for a payment's quote. It contains the balance's ticket without the secret. */
export const requestOf = (
  { to, amount, mode }: NewPayment,
  { assetId, senderAddress, publicTicket }: ShownNote,
): QuoteRequest => ({
  ...{ amount, mode, sourceAssetId: assetId, destinationAssetId: assetId },
  ...{ senderAddress, recipientAddress: to, balance: publicTicket },
})
