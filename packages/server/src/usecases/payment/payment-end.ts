import { ceilToGrid, type UnixSeconds } from '@sotto/protocol'

/** Least time in which the owner may sign a payment and the payment may land, counted from the order. */
const PAYMENT_SECONDS = 600n

/**
 * The end of a payment that is ordered at this time of the chain's clock, on the time grid: ten to twenty minutes
 * later.
 */
export const paymentEnd = (chainSeconds: bigint): UnixSeconds =>
  ceilToGrid(chainSeconds + PAYMENT_SECONDS)
