import { ownerOf, packOwner, showDecimal } from '@sotto/protocol'
import type { TopUp } from '@sotto/sdk/balance'
import type { QuoteRequest, Token } from '@sotto/sdk/server'
import { useMemo } from 'preact/hooks'
import { parseAmount, showAmount } from '../../../look/amounts.ts'
import { randomName } from '../chance.ts'
import { readBack } from '../transfer-form.ts'

const DAY = 86_400

/** The lifetimes from which a person can choose. */
export const LIVES = [
  { id: 'day', label: '1 day', seconds: DAY },
  { id: 'week', label: '7 days', seconds: 7 * DAY },
  { id: 'month', label: '30 days', seconds: 30 * DAY },
] as const
export type Life = (typeof LIVES)[number]['id']

/** The form's values, as entered. */
export interface TopUpValues {
  readonly assetId: string
  readonly amount: string
  readonly life: Life
}

export const emptyTopUp = (assetId: string): TopUpValues => ({
  ...{ assetId, amount: '', life: 'month' },
})

/**
 * A public key that is used only in the form's requests for quotes. A quote doesn't depend on the key. The SDK draws
 * the balance's own key when the top-up begins.
 */
export const usePreviewKey = (): string =>
  useMemo(() => {
    const key = packOwner(ownerOf(BigInt(`0x${randomName()}`)))
    return Array.from(key, (byte) => byte.toString(16).padStart(2, '0')).join('')
  }, [])

export interface ReadTopUp {
  readonly error: string | undefined
  /** The typed amount in the page's own format; undefined if the person typed it in that format. */
  readonly understood: string | undefined
  /** `request` and `topUp` are undefined if a value is missing or wrong. */
  readonly request: QuoteRequest | undefined
  readonly topUp: TopUp | undefined
}

/** Checks the form's values without asking the service. */
export function readTopUp(
  { assetId, amount: typed, life }: TopUpValues,
  token: Token | undefined,
  senderAddress: string | undefined,
  balanceKey: string,
): ReadTopUp {
  // Without the asset's decimals, a typed amount would be read as base units.
  const nothing = { request: undefined, topUp: undefined }
  if (token === undefined) return { error: undefined, understood: undefined, ...nothing }
  const read = parseAmount(typed, token.decimals)
  const error = read.kind === 'wrong' ? read.why : undefined
  if (read.kind !== 'amount') return { error, understood: undefined, ...nothing }
  const understood = readBack(typed, read.base, token)
  if (senderAddress === undefined) return { error, understood, ...nothing }
  const amount = `${read.base}`
  const balanceSeconds = LIVES.find(({ id }) => id === life)?.seconds
  const assets = { sourceAssetId: assetId, destinationAssetId: assetId }
  const parties = { senderAddress, recipientAddress: senderAddress }
  return {
    ...{ error, understood },
    request: { amount, ...assets, ...parties, balanceKey, balanceSeconds },
    topUp: { senderAddress, assetId, amount, balanceSeconds },
  }
}

const BPS_DECIMALS = 2

/** The fee of each payment from a balance, in words. A payment that must create the recipient's account costs more. */
export function paymentFee({ serviceFeeBps, networkFee, decimals, symbol }: Token): string {
  const { accountExists, accountCreated } = networkFee
  const percent = `${showDecimal(BigInt(serviceFeeBps), BPS_DECIMALS)} %`
  const usual = `${percent} and ${showAmount(accountExists, decimals)} ${symbol}`
  if (accountCreated === accountExists) return usual
  return `${usual}, or ${percent} and ${showAmount(accountCreated, decimals)} ${symbol} if the recipient has no account for ${symbol} yet`
}
