import { ceilToGrid, type UnixSeconds } from '@sotto/protocol'
import { PAYMENT_SECONDS_MIN } from '../../domain/payment-life.ts'

/**
 * Maximum age, in milliseconds, of the reading of the chain's clock that is used when a payment is ordered or signed.
 * Most owners sign soon after the order, so one reading is usually enough for both. A payment that has ended since
 * this reading can still be accepted. The worker reads the clock again, and doesn't submit such a payment.
 */
export const CLOCK_AGE_MAX_MS = 250

/**
 * The end of a payment that is ordered at `chainSeconds`. The end is a multiple of 600 seconds, ten to twenty minutes
 * after the order.
 */
export const paymentEnd = (chainSeconds: UnixSeconds): UnixSeconds =>
  ceilToGrid(chainSeconds + PAYMENT_SECONDS_MIN)
