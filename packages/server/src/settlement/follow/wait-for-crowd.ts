import type { UnixSeconds } from '@sotto/protocol'
import { MISSED_SECONDS, waitEnd, type CrowdWish } from '../../domain/crowd.ts'
import type { DeliveryPlan } from '../../domain/order-secrets.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'

/**
 * The plan of a transfer that waits for its crowd from `crowdFromMs` on. If the crowd doesn't come, the note is
 * refunded after its expiry, or delivered at a random time soon after the end of the wait. A time that can be computed
 * from the deposit would link deposit and delivery.
 */
export function waitForCrowd(
  {
    clock,
    random,
  }: { readonly clock: Pick<Clock, 'nowMs'>; readonly random: Pick<Random, 'below'> },
  { missed }: CrowdWish,
  crowdFromMs: number,
  expiry: UnixSeconds,
  nowSeconds: UnixSeconds,
): DeliveryPlan {
  const inMs = (time: UnixSeconds) =>
    clock.nowMs() + (time <= nowSeconds ? 0 : wholeNumber((time - nowSeconds) * 1_000n))
  const deliverAtMs =
    missed === 'refund'
      ? inMs(expiry)
      : inMs(waitEnd(expiry)) + random.below(MISSED_SECONDS * 1_000)
  return { deliverAtMs, crowdFromMs }
}
