import { unixSeconds, type UnixSeconds } from '@sotto/protocol'

/** The crowd that a transfer asks for. */
export interface CrowdWish {
  /**
   * Minimum number of wallets from which the delivery could come, as far as the chain shows. The sender's wallet is
   * counted.
   */
  readonly min: number
  /** The outcome of the transfer if its crowd doesn't become complete in time. */
  readonly missed: 'refund' | 'deliver'
}

/**
 * True if a transfer is delivered even without its crowd, and the crowd isn't complete now. If the crowd doesn't become
 * complete in time, the delivery is made at a random time within five minutes, shortly before the expiry. Anyone can
 * compute these five minutes from the deposit, so the delivery can be linked to the deposit.
 */
export const mayMissCrowd = (crowd: CrowdWish | undefined, anonymitySet: number): boolean =>
  crowd?.missed === 'deliver' && anonymitySet < crowd.min

/** The limits of `CrowdWish.min`. */
export const CROWD_MIN = 2
export const CROWD_MAX = 32

/**
 * Delays and waits end at least this many seconds before the expiry, if the deposit isn't recorded too late. This
 * leaves time for several attempts to settle.
 */
export const BEFORE_EXPIRY_SECONDS = 600n
/**
 * The length of the first part of `BEFORE_EXPIRY_SECONDS`. If a crowd was missed and `missed` is `deliver`, the
 * delivery is due at a random time in this part.
 */
export const MISSED_SECONDS = 300

/** The end of the wait for a crowd, by the chain's clock. */
export const waitEnd = (expiry: UnixSeconds): UnixSeconds =>
  unixSeconds(expiry - BEFORE_EXPIRY_SECONDS)
