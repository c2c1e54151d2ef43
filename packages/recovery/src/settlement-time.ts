import { ceilToGrid, lastRefundClock, refundTimeAt, type UnixSeconds } from '@sotto/protocol'
import { RecoveryError } from './recovery-error.ts'

/**
 * The time in seconds that a settlement gets for landing. It gets less if the note expires earlier. The time is longer
 * than a blockhash is valid, and shorter than a step of the time grid.
 */
const LANDING_SECONDS = 90n

/**
 * The public time of a settlement that is made now. A payment from a balance gets the same time as a delivery.
 *
 * @throws RecoveryError TOO_LATE; TOO_EARLY, whose message says when the settlement becomes possible; WINDOW_OVER if no
 *   settlement is possible any more.
 */
export function settlementTime(
  kind: 'deliver' | 'refund' | 'pay',
  clock: UnixSeconds,
  expiry: UnixSeconds,
): UnixSeconds {
  if (kind !== 'refund') {
    // Choose a grid time that leaves enough time for landing. If the note expires earlier, choose the next grid time
    // instead.
    const roomy = ceilToGrid(clock + LANDING_SECONDS)
    const time = roomy <= expiry ? roomy : ceilToGrid(clock)
    if (time > expiry) {
      const message = `too late to ${kind}: the note can only be refunded now`
      throw new RecoveryError('TOO_LATE', message)
    }
    return time
  }
  const time = refundTimeAt(clock, expiry)
  if (time <= expiry) {
    const wait = ceilToGrid(expiry + 1n) - clock
    const message = `too early to refund: possible in ${wait} s by the chain's clock`
    throw new RecoveryError('TOO_EARLY', message)
  }
  if (clock > lastRefundClock(expiry)) {
    const message =
      'too late to refund: the refund window has ended, so nothing can settle this note any more'
    throw new RecoveryError('WINDOW_OVER', message)
  }
  return time
}
