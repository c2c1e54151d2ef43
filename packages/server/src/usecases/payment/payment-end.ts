import { ceilToGrid, type UnixSeconds } from '@sotto/protocol'
import { PAYMENT_SECONDS_MIN } from '../../domain/payment-life.ts'

/**
 * Maximum age of the chain's clock when an order is made or signed, in milliseconds. Most owners sign immediately after
 * the order, so one read of the clock is enough for order and signature. If the payment has ended in the meantime, the
 * worker doesn't submit it, because the worker reads the clock again.
 */
export const CLOCK_AGE_MAX_MS = 250

/**
 * The end of a payment that is ordered at `chainSeconds`. The end is on the time grid, ten to twenty minutes after the
 * order.
 */
export const paymentEnd = (chainSeconds: UnixSeconds): UnixSeconds =>
  ceilToGrid(chainSeconds + PAYMENT_SECONDS_MIN)
