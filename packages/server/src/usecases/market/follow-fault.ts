import { CLOCK_AHEAD_MS } from '../../domain/clock-ahead.ts'
import type { MarketRecord } from '../../ports/market-store.ts'

/**
 * Workers check their relayers several times a minute. If no check was reported for this many milliseconds, no worker
 * is running.
 */
export const WATCHED_MS = 600_000

/** Why the service could miss a new deposit: no worker makes progress, or the workers' node shows an old chain. */
export type FollowFault = 'not_followed' | 'chain_old'

const PAGE = 'the operator finds the next step in docs/runbooks/chain-not-followed.md'

/** The description of each fault. */
export const FOLLOW_FAULTS: Readonly<Record<FollowFault, string>> = {
  not_followed: `for too long, no worker has followed the chain: ${PAGE}`,
  chain_old: `the newest block that the workers' nodes show is minutes old: ${PAGE}`,
}

/** The cause of a refusal while the chain isn't followed. The log shows the code. */
export class FollowError extends Error {
  override readonly name = 'FollowError'
  readonly code: FollowFault

  constructor(code: FollowFault) {
    super(FOLLOW_FAULTS[code])
    this.code = code
  }
}

/** The longest times, in milliseconds, for which the chain still counts as followed. */
export interface FollowLimits {
  /** The longest time without progress of the workers. */
  readonly unfollowedMs: number
  /**
   * The maximum lag of the chain's clock: the wall clock minus the chain's clock at the followed slot. Undefined on a
   * local chain, because tests can set its clock.
   */
  readonly chainAgeMaxMs?: number | undefined
}

/**
 * The reason why the chain doesn't count as followed; undefined if it counts as followed. If no worker has followed the
 * chain yet, the result is undefined at first, because a worker may be starting together with this process.
 */
export function followFaultOf(
  { followedAtMs, followedSeconds }: Pick<MarketRecord, 'followedAtMs' | 'followedSeconds'>,
  { unfollowedMs, chainAgeMaxMs }: FollowLimits,
  openedMs: number,
  nowMs: number,
): FollowFault | undefined {
  if (followedAtMs === undefined) return nowMs - openedMs < WATCHED_MS ? undefined : 'not_followed'
  if (!isRecent(followedAtMs, unfollowedMs, nowMs)) return 'not_followed'
  if (chainAgeMaxMs === undefined || followedSeconds === undefined) return undefined
  const ageMs = BigInt(nowMs) - 1_000n * followedSeconds
  return ageMs < BigInt(chainAgeMaxMs) ? undefined : 'chain_old'
}

/**
 * True if a report is younger than `withinMs`. A report from far in the future is ignored, because it would count as
 * recent for too long.
 */
export function isRecent(atMs: number, withinMs: number, nowMs: number): boolean {
  const ageMs = nowMs - atMs
  return ageMs > -CLOCK_AHEAD_MS && ageMs < withinMs
}
