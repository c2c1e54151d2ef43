import { ownerOf, packOwner } from '@sotto/protocol'
import type { TopUp } from '@sotto/sdk/balance'
import type { QuoteRequest, Token } from '@sotto/sdk/server'
import { useMemo } from 'preact/hooks'
import { parseAmount } from '../../../look/amounts.ts'
import { randomName } from '../chance.ts'

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
  if (token === undefined) return { error: undefined, request: undefined, topUp: undefined }
  const read = parseAmount(typed, token.decimals)
  const error = read.kind === 'wrong' ? read.why : undefined
  if (read.kind !== 'amount' || senderAddress === undefined) {
    return { error, request: undefined, topUp: undefined }
  }
  const amount = `${read.base}`
  const balanceSeconds = LIVES.find(({ id }) => id === life)?.seconds
  const assets = { sourceAssetId: assetId, destinationAssetId: assetId }
  const parties = { senderAddress, recipientAddress: senderAddress }
  return {
    error,
    request: { amount, ...assets, ...parties, balanceKey, balanceSeconds },
    topUp: { senderAddress, assetId, amount, balanceSeconds },
  }
}
