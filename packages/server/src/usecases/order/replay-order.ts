import { createHash } from 'node:crypto'
import { decodeQuoteId, type QuoteId } from '../../domain/quote-id.ts'
import { areSameBytes } from '../../domain/same-bytes.ts'
import type { OrderStore, ReplayRecord } from '../../ports/order-store.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { compareFingerprints, fingerprintOf } from './fingerprint.ts'
import { ServiceError } from '../service-error.ts'

export interface OrderAttempt {
  readonly accountId: string
  /** The `X-Idempotency-Key` header; undefined if it is absent. The quoteId then serves as the key. */
  readonly idempotencyKey: string | undefined
  readonly quoteId: QuoteId
  /** The parsed body, before any schema was applied. */
  readonly received: Readonly<Record<string, unknown>>
}

/**
 * The result of the search for an earlier attempt. `replay` contains the first response. `quote_used` means that the
 * quote was already ordered under another idempotency key.
 */
export type Known =
  | { readonly kind: 'new' }
  | { readonly kind: 'quote_used' }
  | { readonly kind: 'replay'; readonly body: Uint8Array }

/**
 * The text under which a key is stored and found. A quoteId shows the delays and the crowd of its transfer, which are
 * sealed in the order's row. So for a key that has the form of a quoteId, only a hash is stored. The quoteId contains a
 * secret MAC, so its content can't be guessed from the hash.
 */
export const storedKey = (key: string): string =>
  decodeQuoteId(key) === undefined
    ? key
    : `quoteId ${createHash('sha256').update(key).digest('base64url')}`

/**
 * Finds an earlier attempt by its idempotency key, or by its quote if the quoteId is the key.
 *
 * @throws ServiceError IDEMPOTENCY_CONFLICT, QUOTE_MISMATCH, or QUOTE_EXPIRED if the order's encryption key is already
 * destroyed. Every error prevents a second order.
 */
export async function findReplay(
  d: { readonly orders: OrderStore; readonly secrets: Secrets },
  attempt: OrderAttempt,
): Promise<Known> {
  const { accountId, idempotencyKey: sent, quoteId, received } = attempt
  const key = sent === undefined ? undefined : storedKey(sent)
  const found = await d.orders.findReplays(accountId, quoteId.nonce, key)
  const byQuote = found.find(({ quoteNonce }) => areSameBytes(quoteNonce, quoteId.nonce))
  // Earlier versions stored every key as it was sent.
  const byKey =
    sent === undefined
      ? undefined
      : found.find(({ idempotencyKey: known }) => known === key || known === sent)
  const quote = received['quote'] as Readonly<Record<string, unknown>>
  const isOwn = sent === undefined || sent === quote['quoteId']
  const known = isOwn ? (byQuote ?? byKey) : byKey
  if (known !== undefined) return replay(d.secrets, known, attempt)
  if (!isOwn && (await hasServed(d.orders, accountId, sent))) {
    throw new ServiceError('IDEMPOTENCY_CONFLICT')
  }
  return { kind: byQuote === undefined ? 'new' : 'quote_used' }
}

/**
 * True if a key is the quoteId of a quote that has an order. A retry with this quote finds the order under this key, so
 * the key is known, even if the order was made under another key.
 */
async function hasServed(orders: OrderStore, accountId: string, key: string): Promise<boolean> {
  const named = decodeQuoteId(key)
  if (named === undefined) return false
  const made = await orders.findReplays(accountId, named.nonce, undefined)
  return made.length > 0
}

async function replay(
  secrets: Secrets,
  record: ReplayRecord,
  attempt: OrderAttempt,
): Promise<Known> {
  const isSameQuote = areSameBytes(record.quoteNonce, attempt.quoteId.nonce)
  const epoch = await secrets.read(record.epoch)
  // The fingerprint is empty if the order was resealed, or if the orders of its epoch are being cleared.
  const isGone = epoch === undefined || record.fingerprint.length === 0
  // Even without the epoch's key, a different quote is known to be a conflict. If the quote is the same, the rest of
  // the request can't be compared.
  if (isGone) throw new ServiceError(isSameQuote ? 'QUOTE_EXPIRED' : 'IDEMPOTENCY_CONFLICT')
  const verdict = compareFingerprints(record.fingerprint, fingerprintOf(epoch, attempt.received))
  switch (verdict) {
    case 'equal':
      return { kind: 'replay', body: epoch.open(record.id, 'response', record.sealedResponse) }
    case 'quote_differs':
      throw new ServiceError(isSameQuote ? 'QUOTE_MISMATCH' : 'IDEMPOTENCY_CONFLICT')
    case 'terms_differ':
      throw new ServiceError('IDEMPOTENCY_CONFLICT')
  }
}
