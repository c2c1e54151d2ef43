import { unixSeconds, type UnixSeconds } from '@sotto/protocol'

/** The end of a swap's authorisation is public on the chain. It is rounded to this grid. */
const SWAP_GRID_SECONDS = 30n

/**
 * The time this many seconds after the clock, rounded down to the grid, so that it doesn't reveal the second in which
 * the order was made or refreshed. With a wider grid, the holder of an unpaid swap would keep its price for longer.
 */
export function swapEnd(clock: UnixSeconds, seconds: bigint): UnixSeconds {
  const end = clock + seconds
  return unixSeconds(end - (end % SWAP_GRID_SECONDS))
}
