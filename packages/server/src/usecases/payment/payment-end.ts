import { ceilToGrid, type UnixSeconds } from '@sotto/protocol'
import { PAYMENT_SECONDS_MIN } from '../../domain/payment-life.ts'

/**
 * The greatest age of the chain's clock for an order and for its signature, in milliseconds. Most owners sign at once,
 * so that one reading serves both. If the payment ends within this time, the worker doesn't make it, because the worker
 * reads the clock itself.
 */
export const CLOCK_AGE_MAX_MS = 250

/**
 * The end of a payment that is ordered at this time of the chain's clock, on the time grid: ten to twenty minutes
 * later.
 */
export const paymentEnd = (chainSeconds: UnixSeconds): UnixSeconds =>
  ceilToGrid(chainSeconds + PAYMENT_SECONDS_MIN)
