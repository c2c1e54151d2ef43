import type { QuoteBinding } from '../../domain/quote-id.ts'
import type { Account } from '../../ports/account-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { OrderStore } from '../../ports/order-store.ts'
import type { Secrets } from '../../ports/secrets.ts'
import {
  assertUnexpired,
  readQuoteId,
  verifyQuote,
  type VerifiedQuote,
} from '../quote/verify-quote.ts'
import { invalid, ServiceError } from '../service-error.ts'
import { findReplay, storedKey } from './replay-order.ts'

/** A request that makes an order from a quote. */
export interface OrderRequest<Body> {
  readonly account: Account
  readonly body: Body
  /** The parsed body, before the schema was applied. */
  readonly received: Readonly<Record<string, unknown>>
  /** The `X-Idempotency-Key` header; undefined if absent. */
  readonly idempotencyKey: string | undefined
}

export interface OrderAnswer {
  /** The exact bytes of the response. Every retry gets the same bytes. */
  readonly body: Uint8Array
  readonly isReplay: boolean
}

export interface OnceDependencies {
  readonly clock: Clock
  readonly orders: OrderStore
  readonly secrets: Secrets
}

/** The kind of orders that an operation makes: transfers and top-ups, or payments. */
interface Kind {
  readonly isPayment: boolean
  readonly binding: QuoteBinding
  /**
   * Creates the order and returns the response. `key` is the text of `storedKey`; undefined if the request has no key.
   */
  readonly create: (verified: VerifiedQuote, key: string | undefined) => Promise<Uint8Array>
}

/**
 * Creates at most one order from a quote. The caller has already checked the syntax. The other checks run in this
 * order: idempotency key, quote integrity, expiry, business rules. Because the key is checked first, a retry gets its
 * order even long after the quote expired.
 *
 * @throws ServiceError INVALID_REQUEST if the quote belongs to another operation, and the errors of every check.
 */
export async function orderOnce(
  d: OnceDependencies,
  { account, received, idempotencyKey }: OrderRequest<unknown>,
  { isPayment, binding, create }: Kind,
): Promise<OrderAnswer> {
  // The received quote is used because the schema's copy drops a member named `__proto__`.
  const quote = received['quote'] as Readonly<Record<string, unknown>>
  const quoteId = readQuoteId(quote)
  if (quoteId.isPayment !== isPayment) throw orderedElsewhere(quoteId.isPayment)
  const known = await findReplay(d, { accountId: account.id, idempotencyKey, quoteId, received })
  if (known.kind === 'replay') return { body: known.body, isReplay: true }
  const nowMs = d.clock.nowMs()
  const verified = await verifyQuote(d.secrets, quoteId, quote, binding, nowMs)
  if (known.kind === 'quote_used') throw new ServiceError('QUOTE_ALREADY_USED')
  assertUnexpired(verified, nowMs)
  const key = idempotencyKey === undefined ? undefined : storedKey(idempotencyKey)
  return { body: await create(verified, key), isReplay: false }
}

function orderedElsewhere(isPayment: boolean): ServiceError {
  return invalid(
    'quote',
    isPayment
      ? 'is for a payment out of a balance: order it with POST /transfer/v1/payment'
      : 'is for a transfer or a top-up: order it with POST /transfer/v1/order',
  )
}
