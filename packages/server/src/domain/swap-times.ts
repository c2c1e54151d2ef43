import { unixSeconds, type UnixSeconds } from '@sotto/protocol'

/** Grid, in seconds, to which the end of a swap's authorisation is rounded, because this end is public on the chain. */
const SWAP_GRID_SECONDS = 30n

/**
 * The clock's time plus `seconds`, rounded down to the grid. The rounded end doesn't reveal the second in which the
 * order was made or refreshed. The usual time grid of 600 seconds isn't used, because it is longer than the three
 * minutes in which a swap can be paid.
 */
export function swapEnd(clock: UnixSeconds, seconds: bigint): UnixSeconds {
  const end = clock + seconds
  return unixSeconds(end - (end % SWAP_GRID_SECONDS))
}
