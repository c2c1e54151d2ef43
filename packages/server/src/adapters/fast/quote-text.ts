import type { Suggestion } from '@sotto/contract'
import type { BesideQuote, QuoteText, UnsignedQuote } from '../../ports/quote-text.ts'

/**
 * Writes the members of the canonical JSON of a quote that this service made. Assets, times and digits need no JSON
 * escapes, so nothing is escaped. A received quote may contain anything, so `canonicalJson` must write it, although it
 * takes several times as long.
 */
function quoteMembers(quote: UnsignedQuote): string {
  const { networkFee, partnerFee, serviceFee } = quote.feeBreakdown
  return (
    `"amountIn":"${quote.amountIn}","amountOut":"${quote.amountOut}",` +
    `"destinationAssetId":"${quote.destinationAssetId}","duration":${quote.duration},` +
    `"expiresAt":"${quote.expiresAt}","fee":"${quote.fee}",` +
    `"feeBreakdown":{"networkFee":"${networkFee}",` +
    `"partnerFee":"${partnerFee}","serviceFee":"${serviceFee}"},` +
    `"issuedAt":"${quote.issuedAt}","max":"${quote.max}","min":"${quote.min}",` +
    `"mode":"${quote.mode}","networkFee":"${quote.networkFee}",` +
    `"protocolFee":"${quote.protocolFee}","sourceAssetId":"${quote.sourceAssetId}"`
  )
}

const suggestionText = ({ amount, amountOut, anonymitySet, linkProbability }: Suggestion): string =>
  `{"amount":"${amount}","amountOut":"${amountOut}","anonymitySet":${anonymitySet},` +
  `"linkProbability":"${linkProbability}"}`

/** Writes the answer's JSON around the given JSON of its quote. */
function quoteAnswerText(quote: string, beside: BesideQuote): string {
  const { privacy, linkProbability, waitingHelps, recipientPaidBefore, byAmount } = beside
  const { suggestions, rate, senderMustHold } = beside
  const { anonymitySet, windowSeconds, suggestedAmounts } = privacy
  const amounts = suggestedAmounts.length === 0 ? '' : `"${suggestedAmounts.join('","')}"`
  return (
    `{"success":true,"quote":${quote},` +
    `"privacy":{"anonymitySet":${anonymitySet},"windowSeconds":${windowSeconds},` +
    `"suggestedAmounts":[${amounts}]},` +
    (linkProbability === undefined ? '' : `"linkProbability":"${linkProbability}",`) +
    (waitingHelps === undefined ? '' : `"waitingHelps":${waitingHelps},`) +
    (recipientPaidBefore === undefined ? '' : `"recipientPaidBefore":${recipientPaidBefore},`) +
    (byAmount === undefined
      ? ''
      : `"byAmount":{"anonymitySet":${byAmount.anonymitySet},` +
        `"linkProbability":"${byAmount.linkProbability}","waitingHelps":${byAmount.waitingHelps}},`) +
    (suggestions === undefined
      ? ''
      : `"suggestions":[${suggestions.map(suggestionText).join(',')}],`) +
    (rate === undefined ? '' : `"rate":"${rate}",`) +
    `"senderMustHold":{"native":"${senderMustHold.native}","source":"${senderMustHold.source}"}}`
  )
}

export const quoteText: QuoteText = { members: quoteMembers, answer: quoteAnswerText }
