import { type QuoteId } from '../../domain/quote-id.ts'
import { areSameBytes } from '../../domain/same-bytes.ts'
import type { OrderStore, ReplayRecord } from '../../ports/order-store.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { compareFingerprints, fingerprintOf } from './fingerprint.ts'
import { ServiceError } from '../service-error.ts'

export interface OrderAttempt {
  readonly accountId: string
  /** The `Idempotency-Key` header; undefined if the quoteId serves as the key. */
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
 * Finds an earlier attempt by its idempotency key, or by its quote if the quoteId is the key.
 *
 * @throws ServiceError IDEMPOTENCY_CONFLICT, QUOTE_MISMATCH, or QUOTE_EXPIRED if the order's encryption key is already
 * destroyed. Every error prevents a second order.
 */
export async function findReplay(
  d: { readonly orders: OrderStore; readonly secrets: Secrets },
  attempt: OrderAttempt,
): Promise<Known> {
  const { accountId, idempotencyKey, quoteId } = attempt
  const found = await d.orders.findReplays(accountId, quoteId.nonce, idempotencyKey)
  const byQuote = found.find(({ quoteNonce }) => areSameBytes(quoteNonce, quoteId.nonce))
  if (idempotencyKey === undefined) {
    return byQuote === undefined ? { kind: 'new' } : replay(d.secrets, byQuote, attempt)
  }
  const byKey = found.find((record) => record.idempotencyKey === idempotencyKey)
  if (byKey !== undefined) return replay(d.secrets, byKey, attempt)
  return { kind: byQuote === undefined ? 'new' : 'quote_used' }
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
