/**
 * Slots of an hour. A cursor further ahead of the chain than this followed a node's lie: honest ones would be taken for
 * nodes that lag, for ever.
 */
export const SLOTS_AHEAD_MAX = 9_000n

/** What a node shows of the chain. */
interface Shown {
  readonly slot: bigint
  readonly nextLeaf: bigint
}

/**
 * True if a head is older than the cursor, so that it says nothing. Not if the cursor can't be right and the head has
 * all the leaves that are known: those are proved.
 */
export function isBehind(head: Shown, cursor: Shown): boolean {
  const isLie = cursor.slot > head.slot + SLOTS_AHEAD_MAX && head.nextLeaf >= cursor.nextLeaf
  return head.slot < cursor.slot && !isLie
}

/** More slots than a chain makes in a second. */
const SLOTS_A_SECOND_MAX = 5n
/** How far a cursor may go in a step if a wall clock has jumped, so that the time since the last step is unknown. */
const SLOTS_A_STEP = 150n

/** How far the chain was followed, when, and the chain's clock there. */
interface Followed {
  readonly slot: bigint
  readonly unixSeconds: bigint
  /** Undefined if that is unknown: then nothing bounds the next step. */
  readonly followedAtMs?: number | undefined
}

/**
 * Slot and time of a head as far as the wall clock allows: no slot that the chain can't have reached since the cursor
 * last moved, and no time that is still to come. If the slot is cut, the time stays the cursor's, which is not later
 * than that slot.
 */
export function boundedHead(
  head: Pick<Followed, 'slot' | 'unixSeconds'>,
  cursor: Followed,
  nowMs: number,
): Pick<Followed, 'slot' | 'unixSeconds'> {
  const unixSeconds = witnessedClock(head.unixSeconds, nowMs, 0n)
  const { followedAtMs } = cursor
  if (cursor.slot === 0n || followedAtMs === undefined) return { slot: head.slot, unixSeconds }
  const seconds = BigInt(Math.ceil((nowMs - followedAtMs) / 1_000))
  const step = seconds < 0n ? SLOTS_A_STEP : SLOTS_A_SECOND_MAX * (seconds + 1n)
  if (head.slot <= cursor.slot + step) return { slot: head.slot, unixSeconds }
  const isEarlier = cursor.unixSeconds < unixSeconds
  return {
    slot: cursor.slot + step,
    unixSeconds: isEarlier ? cursor.unixSeconds : unixSeconds,
  }
}

/** The chain's clock, at most the wall clock less a margin: both have passed it. Times in seconds since 1970. */
export function witnessedClock(
  chainSeconds: bigint,
  nowMs: number,
  marginSeconds: bigint | undefined,
): bigint {
  if (marginSeconds === undefined) return chainSeconds
  const wallSeconds = BigInt(Math.floor(nowMs / 1_000)) - marginSeconds
  return wallSeconds < chainSeconds ? wallSeconds : chainSeconds
}
