import { showRate, parseAmount } from '@sotto/protocol'
import type { Quote, QuoteResponse, Token } from '@sotto/sdk/server'

/** A swap may deliver this much less than shown before the person is asked again: half a percent. */
const SLIPPAGE_BPS = 50n
const WHOLE_BPS = 10_000n

export const isSwap = (of: Pick<Quote, 'sourceAssetId' | 'destinationAssetId'>): boolean =>
  of.sourceAssetId !== of.destinationAssetId

/**
 * The least that the recipient gets according to the terms that the person saw, in base units. `suggestedOut` is the
 * delivered amount of a chosen suggestion. If the quote delivers it, the order must deliver it too, because the
 * transfer hides only among others of that amount.
 */
export function leastOf(quote: Quote, suggestedOut?: string): bigint {
  const amountOut = BigInt(quote.amountOut)
  if (!isSwap(quote) || quote.amountOut === suggestedOut) return amountOut
  return (amountOut * (WHOLE_BPS - SLIPPAGE_BPS) + WHOLE_BPS - 1n) / WHOLE_BPS
}

/** True if a quote keeps the agreed terms: it costs no more, and delivers at least the least amount. */
export function keepsTerms(
  { quote: agreed }: QuoteResponse,
  { quote }: QuoteResponse,
  suggestedOut?: string,
): boolean {
  const isSamePayment = agreed.amountIn === quote.amountIn
  if (isSwap(agreed) && agreed.amountOut === suggestedOut) {
    return isSamePayment && quote.amountOut === suggestedOut
  }
  if (isSwap(agreed)) return isSamePayment && BigInt(quote.amountOut) >= leastOf(agreed)
  return isSamePayment && agreed.amountOut === quote.amountOut && agreed.fee === quote.fee
}

/** The rate in words, including fees; undefined unless assets are exchanged. */
export function rateOf(quote: Quote, tokens: readonly Token[]): string | undefined {
  const of = (id: string) => tokens.find(({ assetId }) => assetId === id)
  const [source, destination] = [of(quote.sourceAssetId), of(quote.destinationAssetId)]
  if (!isSwap(quote) || source === undefined || destination === undefined) return undefined
  const [paid, received] = [parseAmount(quote.amountIn), parseAmount(quote.amountOut)]
  if (paid === undefined || received === undefined) return undefined
  return showRate({ amount: paid, ...source }, { amount: received, ...destination })
}
