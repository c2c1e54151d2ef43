import { bigintFromBytes, RESIDUE_SHARE } from '@sotto/protocol'
import { secretBytes } from '../host/host.ts'

const RANDOM_BYTES = 24

/**
 * Draws what a closed balance leaves in the pool, in base units: uniform from nothing to a thousandth of the top-up,
 * and at most half of the rest. Top-up and returned rest are public. Without a residue, the balance's payments add up
 * exactly to the difference between the two, so an observer could find them. With a residue, many other sets of
 * payments come as close to the difference as the real one.
 */
export function drawResidue(paidIn: bigint, rest: bigint): bigint {
  const share = paidIn / RESIDUE_SHARE
  const most = share < rest / 2n ? share : rest / 2n
  return bigintFromBytes(secretBytes(RANDOM_BYTES)) % (most + 1n)
}
