import { type UnixSeconds, unixSeconds } from '@sotto/protocol'
import { wholeNumber } from './whole-number.ts'

/**
 * Number of slots in an hour. The cursor is the slot up to which workers have followed the chain. If the cursor is
 * ahead of the chain by more than this number, a node's false answer has moved the cursor. Without this limit, correct
 * nodes would then count as lagging forever.
 */
export const SLOTS_AHEAD_MAX = 9_000n

/** The slot and the number of leaves that a node or the cursor shows. */
interface Shown {
  readonly slot: bigint
  readonly nextLeaf: bigint
}

/**
 * True if a head is older than the cursor and therefore useless. But if the cursor is more than `SLOTS_AHEAD_MAX` ahead
 * of the head, the cursor must be wrong. The head is then accepted if it has all known leaves, because the tree's root
 * proves those leaves.
 */
export function isBehind(head: Shown, cursor: Shown): boolean {
  const isLie = cursor.slot > head.slot + SLOTS_AHEAD_MAX && head.nextLeaf >= cursor.nextLeaf
  return head.slot < cursor.slot && !isLie
}

/** More slots per second than a chain produces. */
const SLOTS_A_SECOND_MAX = 5n
/**
 * Maximum number of slots in a step if the wall clock was set back since the last step. The time between the two steps
 * is then unknown.
 */
const SLOTS_A_STEP = 150n

/** The last followed slot, the wall clock's time when it was followed, and the chain's clock at the slot. */
interface Followed {
  readonly slot: bigint
  readonly unixSeconds: UnixSeconds
  /** Undefined if the time is unknown. The next step then has no limit. */
  readonly followedAtMs?: number | undefined
}

/**
 * A head's slot and time, limited by the wall clock. The slot is at most the highest slot that the chain can have
 * reached since the cursor last moved. The time is at most the wall clock's time. If the slot is reduced, the time is
 * also at most the cursor's time, because the time of the reduced slot is unknown.
 */
export function boundedHead(
  head: Pick<Followed, 'slot' | 'unixSeconds'>,
  cursor: Followed,
  nowMs: number,
): Pick<Followed, 'slot' | 'unixSeconds'> {
  const witnessed = witnessedClock(head.unixSeconds, nowMs, 0n)
  const { followedAtMs } = cursor
  if (cursor.slot === 0n || followedAtMs === undefined)
    return { slot: head.slot, unixSeconds: witnessed }
  const seconds = BigInt(Math.ceil((nowMs - followedAtMs) / 1_000))
  const step = seconds < 0n ? SLOTS_A_STEP : SLOTS_A_SECOND_MAX * (seconds + 1n)
  if (head.slot <= cursor.slot + step) return { slot: head.slot, unixSeconds: witnessed }
  const isEarlier = cursor.unixSeconds < witnessed
  return {
    slot: cursor.slot + step,
    unixSeconds: isEarlier ? cursor.unixSeconds : witnessed,
  }
}

/**
 * The earlier of two times: the chain's clock, and the wall clock minus the margin. Without a margin, the result is the
 * chain's clock. Times are in seconds since 1970.
 */
export function witnessedClock(
  chainSeconds: UnixSeconds,
  nowMs: number,
  marginSeconds: bigint | undefined,
): UnixSeconds {
  if (marginSeconds === undefined) return chainSeconds
  const wallSeconds = BigInt(Math.floor(nowMs / 1_000)) - marginSeconds
  return wallSeconds < chainSeconds ? unixSeconds(wallSeconds) : chainSeconds
}

/**
 * The earlier of two times, in milliseconds: the wall clock's time, and the chain's clock plus the margin. This time
 * decides when delays end, so a wall clock that is an hour ahead can't end the delays of all orders at once. Without a
 * margin, the result is the wall clock's time.
 */
export function boundedWallMs(
  nowMs: number,
  chainSeconds: UnixSeconds,
  marginSeconds: bigint | undefined,
): number {
  if (marginSeconds === undefined) return nowMs
  return Math.min(nowMs, wholeNumber((chainSeconds + marginSeconds) * 1_000n))
}
