import type { UnixSeconds } from '@sotto/protocol'
import { MISSED_SECONDS, waitEnd, type CrowdWish } from '../../domain/crowd.ts'
import { truncatedMeanSeconds, type DelayLaw, type Delays } from '../../domain/delivery-schedule.ts'
import type { DeliveryPlan } from '../../domain/order-secrets.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { Random } from '../../ports/random.ts'

/**
 * A crowd may be counted up to this many seconds after the drawn time. Rounds take seconds, and the chain's clock lags.
 */
const LATE_COUNT_SECONDS = 30n

/** The time at which a plan is drawn, by two clocks. */
export interface DrawTime {
  /** The chain's time, in seconds since 1970. */
  readonly seconds: UnixSeconds
  /** The wall clock's time, in milliseconds since 1970. It may be limited by the chain's clock: see `boundedWallMs`. */
  readonly ms: number
}

/** The limits of the delay that is drawn when the crowd is complete. By then, the minimum delay has passed. */
export const delaysAfterCrowd = ({ minDelaySeconds, maxDelaySeconds }: Delays): Delays => ({
  ...{ minDelaySeconds: 0, maxDelaySeconds: maxDelaySeconds - minDelaySeconds },
})

/**
 * A crowd must be complete at least this many seconds before the end of the wait. Otherwise it counts as missed: see
 * `isTooLate`.
 */
export const lastCountSeconds = (law: DelayLaw, asked: Delays): bigint =>
  BigInt(Math.ceil(truncatedMeanSeconds(law, delaysAfterCrowd(asked))))

/**
 * Returns the limits of a crowd's first count. The count comes at a random time, at most `seconds` after the deposit.
 * So enough time is left for a delay and a delivery after the count, even if the crowd is already complete at the
 * deposit.
 *
 * If the wait is too short for a delay and a delivery after the count, `isOnly` is true. Then the crowd is counted only
 * once, at the drawn delivery time. That time doesn't depend on the deposits of others, so a delivery at that time
 * reveals nothing about them.
 */
export function firstCountWithin(
  law: DelayLaw,
  asked: Delays,
  roomSeconds: bigint,
): { readonly seconds: bigint; readonly isOnly: boolean } {
  const isShort =
    roomSeconds > 0n && roomSeconds < lastCountSeconds(law, asked) + LATE_COUNT_SECONDS
  const reserved = LATE_COUNT_SECONDS + (isShort ? 0n : lastCountSeconds(law, asked))
  return { seconds: roomSeconds < reserved ? 0n : roomSeconds - reserved, isOnly: isShort }
}

/**
 * Returns the plan of a transfer that waits for its crowd. The crowd is first counted at `crowdFromMs`. If the crowd is
 * missed, the note is refunded after its expiry, or delivered at a random time soon after the end of the wait. If that
 * time could be computed from the deposit, it would link the deposit to the delivery.
 */
export function waitForCrowd(
  { random }: { readonly random: Pick<Random, 'below'> },
  { missed }: CrowdWish,
  crowdFromMs: number,
  expiry: UnixSeconds,
  now: DrawTime,
): DeliveryPlan {
  const inMs = (time: UnixSeconds) =>
    now.ms + (time <= now.seconds ? 0 : wholeNumber((time - now.seconds) * 1_000n))
  const deliverAtMs =
    missed === 'refund'
      ? inMs(expiry)
      : inMs(waitEnd(expiry)) + random.below(MISSED_SECONDS * 1_000)
  return { deliverAtMs, crowdFromMs }
}
