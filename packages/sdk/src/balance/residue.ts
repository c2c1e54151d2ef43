import { bigintFromBytes, RESIDUE_SHARE } from '@sotto/protocol'
import { secretBytes } from '../host/host.ts'

const RANDOM_BYTES = 24

/**
 * Draws what a closed balance leaves in the pool, in base units: uniform from nothing to a thousandth of the top-up, and at
 * most half of the rest. Top-up and returned rest are public. Without a residue the payments between them add up exactly
 * to the difference, and an observer finds the payments that do. With it, many sets of payments come as close.
 */
export function drawResidue(paidIn: bigint, rest: bigint): bigint {
  const share = paidIn / RESIDUE_SHARE
  const most = share < rest / 2n ? share : rest / 2n
  return bigintFromBytes(secretBytes(RANDOM_BYTES)) % (most + 1n)
}
