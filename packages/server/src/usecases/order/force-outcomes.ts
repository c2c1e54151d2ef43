import type { OrderResponse, QuoteRequest } from '@sotto/contract'
import type { Account } from '../../ports/account-store.ts'
import type { ForcedOutcome, ForcedOutcomes } from '../../ports/forced-outcomes.ts'
import type { Prices } from '../../ports/prices.ts'
import { decodeTerms } from '../../domain/order-secrets.ts'
import { createOrder, type OrderDependencies, type TransferOrderRequest } from './create-order.ts'
import type { OrderAnswer } from './order-once.ts'
import { quoteTransfer, type QuoteAnswer, type QuoteDependencies } from '../quote/quote-transfer.ts'
import { findOwnOrder } from '../status/read-status.ts'
import { refreshTransaction, type RefreshDependencies } from './refresh-transaction.ts'
import { ServiceError } from '../service-error.ts'

/**
 * Delay of a slow delivery, in seconds. It is longer than people wait at a screen, and fits into the shortest delivery
 * window.
 */
const SLOW_SECONDS = 300
/**
 * Seconds for which an order with the outcome `expired` can be paid: long enough for a client to see
 * `awaiting_deposit`.
 */
const EXPIRES_SECONDS = 5
const LIQUIDITY_RETRY_SECONDS = 60

/** The delays that each outcome requests. Any partner could request the same delays. */
const DELAYS: Readonly<Partial<Record<ForcedOutcome, number>>> = {
  delivered: 0,
  slow: SLOW_SECONDS,
  // A delivery without a delay is tried and refused immediately, so only the refund takes time.
  refunded: 0,
}

/** The use cases that test mode wraps. */
export interface ForcingUseCases {
  readonly quoteTransfer: (account: Account, request: QuoteRequest) => Promise<QuoteAnswer>
  readonly createOrder: (request: TransferOrderRequest) => Promise<OrderAnswer>
  readonly refreshTransaction: (account: Account, trackingId: string) => Promise<OrderResponse>
}

/**
 * Wraps quote, order and refresh for test mode. The wrappers run the usual code. If the recipient's address selects an
 * outcome, the wrappers change the inputs of that code, such as the delays or the prices. A service without test mode
 * doesn't use this file.
 */
export function forceOutcomes(
  quoting: QuoteDependencies,
  d: OrderDependencies & RefreshDependencies,
  outcomes: ForcedOutcomes,
): ForcingUseCases {
  return {
    quoteTransfer: async (account, request) => {
      const outcome = outcomes.of(request.recipientAddress)
      const answer = await quoteTransfer(quoting, account, withDelays(request, outcome))
      if (outcome !== 'no_liquidity') return answer
      // This error is thrown only after every other check has passed, so that an invalid request gets the error that
      // names its fault.
      throw new ServiceError('LIQUIDITY_UNAVAILABLE', {
        retryAfterSeconds: LIQUIDITY_RETRY_SECONDS,
      })
    },
    createOrder: (request) => {
      const isExpiring = outcomes.of(request.body.recipientAddress) === 'expired'
      return createOrder(isExpiring ? { ...d, payableSeconds: EXPIRES_SECONDS } : d, request)
    },
    refreshTransaction: async (account, trackingId) => {
      const hasMoved = (await outcomeOf(d, outcomes, account, trackingId)) === 'price_moved'
      const circumstances = hasMoved ? { ...d, prices: fallen(d.prices) } : d
      return refreshTransaction(circumstances, account, trackingId)
    },
  }
}

/** Adds an outcome's delays to a request. If the request names delays, it is returned unchanged. */
function withDelays(request: QuoteRequest, outcome: ForcedOutcome | undefined): QuoteRequest {
  const seconds = outcome === undefined ? undefined : DELAYS[outcome]
  const isAsked = request.minDelaySeconds !== undefined || request.maxDelaySeconds !== undefined
  if (seconds === undefined || isAsked) return request
  return { ...request, minDelaySeconds: seconds, maxDelaySeconds: seconds }
}

async function outcomeOf(
  d: RefreshDependencies,
  outcomes: ForcedOutcomes,
  account: Account,
  trackingId: string,
): Promise<ForcedOutcome | undefined> {
  const { order } = await findOwnOrder(d.orders, account.id, trackingId)
  const secrets = await d.secrets.read(order.epoch)
  if (secrets === undefined) return undefined
  const { recipient } = decodeTerms(secrets.open(order.id, 'terms', order.sealedTerms))
  return outcomes.of(recipient)
}

/**
 * Prices at which the source is worth half of its usual value. This fall exceeds every spread that can be configured.
 */
const fallen = (prices: Prices): Prices => ({
  readRate: async (source, destination) => {
    const rate = await prices.readRate(source, destination)
    return rate === undefined ? undefined : { ...rate, denominator: rate.denominator * 2n }
  },
})
