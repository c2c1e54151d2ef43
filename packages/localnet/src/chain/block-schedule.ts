/**
 * Determines which slots have a block. Real clusters skip slots, so this chain skips one slot in eight. A client that
 * confuses a slot with a block height therefore fails here too. The rule is fixed, so the height follows from the slot,
 * and a restart needs no record of the skipped slots.
 */
const CYCLE = 8
const BLOCKS_PER_CYCLE = CYCLE - 1
const SKIPPED_IN_CYCLE = 5

/** True if no block is produced in this slot. */
export function isSkippedSlot(slot: number): boolean {
  return slot % CYCLE === SKIPPED_IN_CYCLE
}

/** The height of the newest block at or before this slot. */
export function heightOfSlot(slot: number): number {
  return slot - Math.floor((slot + CYCLE - SKIPPED_IN_CYCLE) / CYCLE)
}

/** The slot whose block has this height. For a negative height, the slot of the first block. */
export function slotOfHeight(height: number): number {
  if (height <= 0) return 0
  const inCycle = height % BLOCKS_PER_CYCLE
  const cycleStart = Math.floor(height / BLOCKS_PER_CYCLE) * CYCLE
  return cycleStart + (inCycle < SKIPPED_IN_CYCLE ? inCycle : inCycle + 1)
}

/** The first slot with a block, at or after this slot. */
export function nextBlockSlot(slot: number): number {
  return isSkippedSlot(slot) ? slot + 1 : slot
}

/** The newest slot with a block, at or before this slot. */
export function lastBlockSlot(slot: number): number {
  return isSkippedSlot(slot) ? slot - 1 : slot
}
