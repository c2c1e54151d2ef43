import { unixSeconds, type UnixSeconds } from '@sotto/protocol'

/** The end of a swap's authorisation is public on the chain, and lies on this grid. */
const SWAP_GRID_SECONDS = 30n

/**
 * The time this many seconds after the clock, rounded down to the grid, so that it doesn't show the second of the order
 * or refresh that it was computed for. A wider grid would give the holder of an unpaid swap its price for longer.
 */
export function swapEnd(clock: bigint, seconds: bigint): UnixSeconds {
  const end = clock + seconds
  return unixSeconds(end - (end % SWAP_GRID_SECONDS))
}
