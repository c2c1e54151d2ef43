import type { UnixSeconds } from '@sotto/protocol'
import { readChainClock, type RecoveryRpc } from './read-accounts.ts'
import { RecoveryError } from './recovery-error.ts'
import { settlementTime } from './settlement-time.ts'
import { isoOf, wallClock } from './shown-time.ts'

/** Greatest accepted difference between the chain's clock and this machine's. Usually they differ by a few seconds. */
const DIFFERENCE_MAX_SECONDS = 3_600n

/**
 * True if a node's time is near this machine's time, so that it can be the chain's time. A local chain may have any
 * time.
 */
export function isPlausible(clock: UnixSeconds, isLocalChain: boolean | undefined): boolean {
  const difference = clock - wallClock()
  return (
    isLocalChain === true ||
    (difference <= DIFFERENCE_MAX_SECONDS && -difference <= DIFFERENCE_MAX_SECONDS)
  )
}

/** The node whose clock is read. `isLocalChain`: see `LocateOptions`. */
interface ClockUse {
  readonly rpc: RecoveryRpc
  readonly isLocalChain?: boolean | undefined
}

/**
 * The chain's clock for a payment. The payment's public time is computed from this clock, and the payment's proof can
 * land only in the hour before that time. So a node that shows a false, later clock could delay the payment by weeks.
 *
 * @throws RecoveryError CLOCK_DIFFERS if the clock is more than an hour from this machine's.
 */
export async function readPlausibleClock({ rpc, isLocalChain }: ClockUse): Promise<UnixSeconds> {
  const clock = await readChainClock(rpc)
  if (isPlausible(clock, isLocalChain)) return clock
  throw clockDiffers(clock)
}

/**
 * The public time of a delivery or a refund that is made now. A refusal depends only on the chain's clock, so a node
 * with a false clock could make a person give up a note that can still be settled.
 *
 * @throws RecoveryError as `settlementTime` does; CLOCK_DIFFERS instead if the clock is more than an hour from this
 *   machine's.
 */
export async function readSettlementTime(
  kind: 'deliver' | 'refund',
  { rpc, isLocalChain }: ClockUse,
  expiry: UnixSeconds,
): Promise<UnixSeconds> {
  const clock = await readChainClock(rpc)
  try {
    return settlementTime(kind, clock, expiry)
  } catch (error) {
    throw isPlausible(clock, isLocalChain) ? error : clockDiffers(clock)
  }
}

/** The error for a clock that is more than an hour from this machine's. */
export function clockDiffers(clock: UnixSeconds): RecoveryError {
  const message =
    `the endpoint shows the chain's time as ${isoOf(clock)}, which is more than an hour from this machine's time: ` +
    "correct this machine's clock, or use another endpoint"
  return new RecoveryError('CLOCK_DIFFERS', message)
}
