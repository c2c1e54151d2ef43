import type { Quote } from '@sotto/contract'
import {
  decodeQuoteId,
  quoteMessage,
  type QuoteBinding,
  type QuoteId,
} from '../../domain/quote-id.ts'
import { areSameBytes } from '../../domain/same-bytes.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { CLOCK_AHEAD_MS } from '../../domain/clock-ahead.ts'
import { epochAt, FIRST_EPOCH } from '../../domain/epoch.ts'
import { ServiceError } from '../service-error.ts'

export interface VerifiedQuote {
  readonly id: QuoteId
  /** The verified quote. It is exactly the issued quote, because the MAC covers every member. */
  readonly quote: Quote
}

/**
 * Parses the quoteId. @throws ServiceError QUOTE_MISMATCH if the text doesn't have the form of this service's quoteIds.
 */
export function readQuoteId(received: Readonly<Record<string, unknown>>): QuoteId {
  const id = decodeQuoteId(received['quoteId'])
  if (id === undefined) throw new ServiceError('QUOTE_MISMATCH')
  return id
}

/**
 * Checks a received quote against its quoteId, without the database. Doesn't check the quote's expiry.
 *
 * @throws ServiceError QUOTE_MISMATCH if anything differs; QUOTE_EXPIRED if the quote's key is destroyed.
 */
export async function verifyQuote(
  secrets: Secrets,
  id: QuoteId,
  received: Readonly<Record<string, unknown>>,
  binding: QuoteBinding,
  nowMs: number,
): Promise<VerifiedQuote> {
  // The clock of the replica that made the quote may be ahead of this replica's clock.
  const isPossible = id.epoch >= FIRST_EPOCH && id.epoch <= epochAt(nowMs + CLOCK_AHEAD_MS)
  if (!isPossible) throw new ServiceError('QUOTE_MISMATCH')
  const epoch = await secrets.read(id.epoch)
  if (epoch === undefined) throw new ServiceError('QUOTE_EXPIRED')
  const mac = epoch.quoteMac(quoteMessage(id, received, binding))
  if (!areSameBytes(mac, id.mac)) throw new ServiceError('QUOTE_MISMATCH')
  return { id, quote: received as unknown as Quote }
}

/**
 * Called when an order's creation begins, and again just before the order is stored: a retry at another replica may
 * have got QUOTE_EXPIRED in the meantime, and no order must be made after that.
 *
 * @throws ServiceError QUOTE_EXPIRED if the time is after `expiresAt`.
 */
export function assertUnexpired({ quote }: VerifiedQuote, nowMs: number): void {
  if (nowMs > Date.parse(quote.expiresAt)) throw new ServiceError('QUOTE_EXPIRED')
}
