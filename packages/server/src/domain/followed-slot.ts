/**
 * Slots of a day. A cursor further ahead of the chain than this followed a node's lie: honest ones would be taken for
 * nodes that lag, for ever.
 */
export const SLOTS_AHEAD_MAX = 216_000n

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
