import {
  ceilToGrid,
  deliveryTimeAt,
  lastRefundClock,
  refundTimeAt,
  type UnixSeconds,
} from '@sotto/protocol'
import { RecoveryError } from './recovery-error.ts'

/**
 * The public time of a settlement that is made now. A payment from a balance gets the same time as a delivery.
 *
 * @throws RecoveryError TOO_LATE if only a refund is possible now; TOO_EARLY with the wait until a refund is possible;
 *   WINDOW_OVER if no settlement is possible any more.
 */
export function settlementTime(
  kind: 'deliver' | 'refund' | 'pay',
  clock: UnixSeconds,
  expiry: UnixSeconds,
): UnixSeconds {
  if (kind !== 'refund') {
    const time = deliveryTimeAt(clock, expiry)
    if (time === undefined) {
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
