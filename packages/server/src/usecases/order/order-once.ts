import { hexOf } from '../../domain/hex.ts'
import type { QuoteBinding, QuoteId } from '../../domain/quote-id.ts'
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
import { ServiceError } from '../service-error.ts'
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
  /** The nonces, in hex, of the quotes whose orders this replica is creating now. */
  readonly ordering: Set<string>
}

/** The kind of orders that an operation makes: transfers and top-ups, or payments. */
interface Kind {
  readonly isPayment: boolean
  readonly binding: QuoteBinding
  /**
   * The values that would bind a quote of the other kind to this request. Undefined if such a quote has values that
   * this operation's requests don't contain, so that it can't be verified here.
   */
  readonly bindingElsewhere: QuoteBinding | undefined
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
  kind: Kind,
): Promise<OrderAnswer> {
  // The received quote is used because the schema's copy drops a member named `__proto__`.
  const quote = received['quote'] as Readonly<Record<string, unknown>>
  const quoteId = readQuoteId(quote)
  const known = await findReplay(d, { accountId: account.id, idempotencyKey, quoteId, received })
  if (known.kind === 'replay') return { body: known.body, isReplay: true }
  const nowMs = d.clock.nowMs()
  const verified = await verifyKind(d.secrets, quoteId, quote, kind, nowMs)
  if (known.kind === 'quote_used') throw new ServiceError('QUOTE_ALREADY_USED')
  const key = idempotencyKey === undefined ? undefined : storedKey(idempotencyKey)
  const body = await createAlone(d, account.id, quoteId, async () => {
    assertUnexpired(verified, nowMs)
    return kind.create(verified, key)
  })
  return { body, isReplay: false }
}

/**
 * Checks a quote, and that this operation can order it. The quoteId names the quote's kind, but is believed only once
 * the quote is verified. @throws ServiceError QUOTE_MISMATCH, QUOTE_EXPIRED or INVALID_REQUEST.
 */
async function verifyKind(
  secrets: Secrets,
  quoteId: QuoteId,
  quote: Readonly<Record<string, unknown>>,
  { isPayment, binding, bindingElsewhere }: Kind,
  nowMs: number,
): Promise<VerifiedQuote> {
  if (quoteId.isPayment === isPayment) {
    return verifyQuote(secrets, quoteId, quote, binding, nowMs)
  }
  const message = quoteId.isPayment
    ? 'is for a payment out of a balance: order it with POST /transfer/v1/payment'
    : 'is for a transfer or a top-up: order it with POST /transfer/v1/order'
  const hint = { param: 'quote', issues: [{ param: 'quote', message }] }
  if (bindingElsewhere === undefined) throw new ServiceError('QUOTE_MISMATCH', hint)
  await verifyQuote(secrets, quoteId, quote, bindingElsewhere, nowMs)
  throw new ServiceError('INVALID_REQUEST', hint)
}

/**
 * Creates an order unless another request is creating one with the same quote. If the creation is refused, another
 * request may have made the order since this request searched for it. That order may even be the reason of the refusal,
 * for example because it used up an allowance.
 *
 * @throws ServiceError ORDER_IN_PROGRESS in both cases, and the errors of `create`.
 */
async function createAlone(
  { orders, ordering }: OnceDependencies,
  accountId: string,
  { nonce }: QuoteId,
  create: () => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const name = hexOf(nonce)
  if (ordering.has(name)) throw inProgress()
  ordering.add(name)
  try {
    return await create()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const made = await orders.findReplays(accountId, nonce, undefined)
    throw made.length > 0 ? inProgress() : error
  } finally {
    ordering.delete(name)
  }
}

const inProgress = () => new ServiceError('ORDER_IN_PROGRESS', { retryAfterSeconds: 1 })
