import { unixSeconds, type UnixSeconds } from '@sotto/protocol'

/** The crowd that a transfer asks for. */
export interface CrowdWish {
  /**
   * Minimum number of wallets from which the delivery could come, as far as the chain shows. The sender's wallet
   * counts.
   */
  readonly min: number
  /** The outcome of the transfer if its crowd doesn't come. */
  readonly missed: 'refund' | 'deliver'
}

/** The bounds of `CrowdWish.min`. */
export const CROWD_MIN = 2
export const CROWD_MAX = 32

/** Every delay and every wait ends this long before the expiry, which leaves time for several proofs and landings. */
export const BEFORE_EXPIRY_SECONDS = 600n
/**
 * The first seconds of `BEFORE_EXPIRY_SECONDS`. If a crowd didn't come and `missed` is `deliver`, the delivery falls
 * into this part.
 */
export const MISSED_SECONDS = 300

/** The end of the wait for a crowd, by the chain's clock. */
export const waitEnd = (expiry: UnixSeconds): UnixSeconds =>
  unixSeconds(expiry - BEFORE_EXPIRY_SECONDS)
