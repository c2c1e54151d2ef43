import { showRate, parseAmount } from '@sotto/protocol'
import type { Quote, QuoteResponse, Token } from '@sotto/sdk/server'
import type { TransferRequest } from '@sotto/sdk/wallet'

/** If a swap delivers up to this much less than shown (half a percent), the person isn't asked again. */
const SLIPPAGE_BPS = 50n
const WHOLE_BPS = 10_000n

export const isSwap = (of: Pick<Quote, 'sourceAssetId' | 'destinationAssetId'>): boolean =>
  of.sourceAssetId !== of.destinationAssetId

/**
 * The minimum that the recipient gets on the terms that the person saw, in base units. `suggestedOut` is the amount
 * that a chosen suggestion delivers. If the quote delivers exactly this amount, the order must deliver the same amount,
 * because a transfer hides only among transfers of the same amount.
 */
export function leastOf(quote: Quote, suggestedOut?: string): bigint {
  const amountOut = BigInt(quote.amountOut)
  if (!isSwap(quote) || quote.amountOut === suggestedOut) return amountOut
  return (amountOut * (WHOLE_BPS - SLIPPAGE_BPS) + WHOLE_BPS - 1n) / WHOLE_BPS
}

/** The request. For a swap, it also has the minimum that must arrive according to the accepted quote. */
export function bounded(
  request: TransferRequest,
  { quote }: QuoteResponse,
  suggestedOut: string | undefined,
): TransferRequest {
  return isSwap(quote) ? { ...request, minOut: `${leastOf(quote, suggestedOut)}` } : request
}

/**
 * True if a quote keeps the agreed terms. A swap must cost the same, and must deliver at least the agreed minimum. A
 * send must have the same amounts and the same fee.
 */
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

/**
 * True if a payment out of a balance costs at most what the person agreed to, and delivers at least as much. A payment
 * may wait for hours, so a lower price must not stop it. `keepsTerms` is stricter, because a transfer of another amount
 * may hide less well.
 */
export function costsNoMore({ quote: agreed }: QuoteResponse, { quote }: QuoteResponse): boolean {
  return (
    BigInt(quote.amountIn) <= BigInt(agreed.amountIn) &&
    BigInt(quote.amountOut) >= BigInt(agreed.amountOut) &&
    BigInt(quote.fee) <= BigInt(agreed.fee)
  )
}

/** The exchange rate in words, including fees; undefined if the two assets are the same. */
export function rateOf(quote: Quote, tokens: readonly Token[]): string | undefined {
  const of = (id: string) => tokens.find(({ assetId }) => assetId === id)
  const [source, destination] = [of(quote.sourceAssetId), of(quote.destinationAssetId)]
  if (!isSwap(quote) || source === undefined || destination === undefined) return undefined
  const [paid, received] = [parseAmount(quote.amountIn), parseAmount(quote.amountOut)]
  if (paid === undefined || received === undefined) return undefined
  return showRate({ amount: paid, ...source }, { amount: received, ...destination })
}
