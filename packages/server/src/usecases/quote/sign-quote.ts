import { signQuoteId, type QuoteBinding, type QuoteId } from '../../domain/quote-id.ts'
import type { Random } from '../../ports/random.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import type { QuoteText, UnsignedQuote } from '../../ports/quote-text.ts'

const NONCE_BYTES = 16

/**
 * Adds the quoteId to a quote. With the key of its epoch, the quoteId binds the quote to the request. Returns the
 * quote's JSON. This JSON is built from the signed text and the quoteId, because serialising the quote again would take
 * as long as signing it.
 */
export function signQuote(
  { random, quoteText }: { readonly random: Random; readonly quoteText: QuoteText },
  { epoch, quoteMac }: Pick<EpochSecrets, 'epoch' | 'quoteMac'>,
  quote: UnsignedQuote,
  carried: Omit<QuoteId, 'epoch' | 'nonce' | 'mac'>,
  binding: QuoteBinding,
): string {
  const nonce = random.bytes(NONCE_BYTES)
  const id = { epoch, nonce, ...carried }
  const members = quoteText.members(quote)
  const quoteId = signQuoteId(id, `{${members}}`, binding, quoteMac)
  return `{${members},"quoteId":"${quoteId}"}`
}
