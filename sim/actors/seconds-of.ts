import { parseWhole } from '@sotto/protocol'

/** A difference between two times of the chain's clock as a number, in seconds; 0 if the difference is negative. */
export const secondsOf = (difference: bigint): number =>
  difference < 0n ? 0 : parseWhole(`${difference}`)
