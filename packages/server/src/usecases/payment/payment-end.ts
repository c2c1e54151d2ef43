import { ceilToGrid, type UnixSeconds } from '@sotto/protocol'
import { PAYMENT_SECONDS_MIN } from '../../domain/payment-life.ts'

/**
 * The end of a payment that is ordered at this time of the chain's clock, on the time grid: ten to twenty minutes
 * later.
 */
export const paymentEnd = (chainSeconds: UnixSeconds): UnixSeconds =>
  ceilToGrid(chainSeconds + PAYMENT_SECONDS_MIN)
