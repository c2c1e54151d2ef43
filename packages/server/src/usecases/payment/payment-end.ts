import { ceilToGrid, type UnixSeconds } from '@sotto/protocol'

/** At least this long after the order, its owner may sign a payment and it may land. */
const PAYMENT_SECONDS = 600n

/** The end of a payment that is ordered at this clock, on the time grid: ten to twenty minutes later. */
export const paymentEnd = (chainSeconds: bigint): UnixSeconds =>
  ceilToGrid(chainSeconds + PAYMENT_SECONDS)
