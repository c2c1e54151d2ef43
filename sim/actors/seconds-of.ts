import { parseWhole } from '@sotto/protocol'

/** A difference of the chain's times as a number; 0 if it is negative. */
export const secondsOf = (difference: bigint): number =>
  difference < 0n ? 0 : parseWhole(`${difference}`)
