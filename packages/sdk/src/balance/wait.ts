import {
  bigintFromBytes,
  unixSeconds,
  WAIT_SPREAD_SECONDS,
  type UnixSeconds,
} from '@sotto/protocol'
import { secretBytes } from '../host/host.ts'

const RANDOM_BYTES = 16

/**
 * Draws the time, in seconds of the chain's clock, at which a waiting payment is made: uniformly within six hours after
 * `linkableUntil`. A payment at exactly `linkableUntil` could be linked to its top-up, because anyone can compute that
 * second from the deposit.
 */
export const drawPaymentTime = (linkableUntil: UnixSeconds): UnixSeconds =>
  unixSeconds(
    linkableUntil + (bigintFromBytes(secretBytes(RANDOM_BYTES)) % BigInt(WAIT_SPREAD_SECONDS)),
  )
