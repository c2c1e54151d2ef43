import type { Quote } from '@sotto/contract'
import { canonicalJson } from '../domain/canonical-json.ts'
import { signQuoteId, type QuoteBinding, type QuoteId } from '../domain/quote-id.ts'
import type { Random } from '../ports/random.ts'
import type { EpochSecrets } from '../ports/secrets.ts'

export type UnsignedQuote = Omit<Quote, 'quoteId'>

const NONCE_BYTES = 16

/**
 * The canonical JSON of a quote that this service made, whose members and digits need no look at
 * each. A received quote may hold anything and is written by `canonicalJson`, which takes several times
 * as long.
 */
function canonicalTerms(quote: UnsignedQuote): string {
  const { networkFee, partnerFee, serviceFee } = quote.feeBreakdown
  return (
    `{"amountIn":"${quote.amountIn}","amountOut":"${quote.amountOut}",` +
    `"destinationAssetId":${canonicalJson(quote.destinationAssetId)},"duration":${quote.duration},` +
    `"expiresAt":${canonicalJson(quote.expiresAt)},"fee":"${quote.fee}",` +
    `"feeBreakdown":{"networkFee":"${networkFee}",` +
    `"partnerFee":"${partnerFee}","serviceFee":"${serviceFee}"},` +
    `"issuedAt":${canonicalJson(quote.issuedAt)},"max":"${quote.max}","min":"${quote.min}",` +
    `"mode":"${quote.mode}","networkFee":"${quote.networkFee}",` +
    `"protocolFee":"${quote.protocolFee}","sourceAssetId":${canonicalJson(quote.sourceAssetId)}}`
  )
}

/** Gives a quote the id that binds it to what it was made for, under the key of its epoch. */
export function signQuote(
  random: Random,
  { epoch, quoteMac }: Pick<EpochSecrets, 'epoch' | 'quoteMac'>,
  quote: UnsignedQuote,
  carried: Pick<QuoteId, 'accountExisted' | 'minDelaySeconds' | 'maxDelaySeconds'>,
  binding: QuoteBinding,
): Quote {
  const { accountExisted, minDelaySeconds, maxDelaySeconds } = carried
  const nonce = random.bytes(NONCE_BYTES)
  const id = { epoch, nonce, accountExisted, minDelaySeconds, maxDelaySeconds }
  const quoteId = signQuoteId(id, canonicalTerms(quote), binding, quoteMac)
  return { ...quote, quoteId }
}
