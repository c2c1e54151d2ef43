import type { Quote } from '@sotto/contract'
import { encodeQuoteId, quoteMessage, type QuoteBinding, type QuoteId } from '../domain/quote-id.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import { epochAt } from '../domain/epoch.ts'

export type UnsignedQuote = Omit<Quote, 'quoteId'>

const NONCE_BYTES = 16

/** Gives a quote the id that binds it to what it was made for. */
export async function signQuote(
  d: { readonly clock: Clock; readonly random: Random; readonly secrets: Secrets },
  quote: UnsignedQuote,
  carried: Pick<QuoteId, 'accountExisted' | 'minDelaySeconds' | 'maxDelaySeconds'>,
  binding: QuoteBinding,
): Promise<Quote> {
  const epoch = epochAt(d.clock.nowMs())
  const secrets = await d.secrets.forNewOrder(epoch)
  const id = { ...carried, epoch, nonce: d.random.bytes(NONCE_BYTES) }
  const mac = secrets.quoteMac(quoteMessage(id, quote, binding))
  return { ...quote, quoteId: encodeQuoteId({ ...id, mac }) }
}
