import { poseidon2 } from 'poseidon-lite/poseidon2'
import { type Note, type Place, TREE_DEPTH } from '../settle-input.ts'

/** A note of the size that real ones have; every field differs, so that no two can be confused. */
export const NOTE: Note = {
  assetHash: poseidon2([0x069b8857feab8184fb687f634618c035n, 0xdac439dc1aeb3b5598a0f00000000001n]),
  amount: 1_250_000_000n,
  fee: 3_755_000n,
  expiry: 1_800_000_600n,
  nk: 0x1f2e3d4c5b6a79880102030405060708090a0b0c0d0e0f101112131415161718n,
  recipient: { hi: 0xa1a2a3a4a5a6a7a8a9aaabacadaeafb0n, lo: 0xb1b2b3b4b5b6b7b8b9babbbcbdbebfc0n },
  sender: { hi: 0xc1c2c3c4c5c6c7c8c9cacbcccdcecfd0n, lo: 0xd1d2d3d4d5d6d7d8d9dadbdcdddedfe0n },
}

/** A place in the middle of the tree, with both values of bits and siblings that all differ. */
export const PLACE: Place = {
  leafIndex: 0b10_1101_0010_1011_0110_1100_1101n,
  path: Array.from({ length: TREE_DEPTH }, (_, level) => poseidon2([7n, BigInt(level)])),
}
