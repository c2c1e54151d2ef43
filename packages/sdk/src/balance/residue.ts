import { bigintFromBytes, RESIDUE_SHARE } from '@sotto/protocol'
import { secretBytes } from '../host/host.ts'

const RANDOM_BYTES = 24

/**
 * Draws the residue: how many base units a closed balance leaves in the pool. The draw is uniform from 0 to a
 * thousandth of the top-up, or to half of the rest if that is less. The top-up and the returned rest are public.
 * Without a residue, the balance's payments would add up exactly to the difference between the two. An observer could
 * then find these payments. With a residue, many other sets of payments come as close to the difference as the real
 * set.
 */
export function drawResidue(paidIn: bigint, rest: bigint): bigint {
  const share = paidIn / RESIDUE_SHARE
  const most = share < rest / 2n ? share : rest / 2n
  return bigintFromBytes(secretBytes(RANDOM_BYTES)) % (most + 1n)
}
