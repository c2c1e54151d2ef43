import type { Config } from '../config.ts'
import type { FollowLimits } from '../usecases/market/follow-fault.ts'

/** Upper bound of the difference between the chain's clock and a wall clock that is synchronised over the network. */
const CLOCK_MARGIN_SECONDS = 120

/**
 * The margin of a cluster's clock, in seconds; undefined for a local chain, whose clock has no relation to the wall
 * clock.
 */
export const clockMarginOf = ({ CLUSTER }: Pick<Config, 'CLUSTER'>): number | undefined =>
  CLUSTER === 'localnet' ? undefined : CLOCK_MARGIN_SECONDS

/** The limits after which new orders are refused because the workers don't keep up with the chain. */
export function followLimitsOf(
  config: Pick<Config, 'CLUSTER' | 'UNFOLLOWED_SECONDS'>,
): FollowLimits {
  const { UNFOLLOWED_SECONDS: unfollowed } = config
  const margin = clockMarginOf(config)
  return {
    unfollowedMs: unfollowed * 1_000,
    chainAgeMaxMs: margin === undefined ? undefined : (unfollowed + margin) * 1_000,
  }
}
