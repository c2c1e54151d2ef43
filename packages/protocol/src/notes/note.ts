import type { Address } from '@solana/kit'
import { addressHalves } from '../field.ts'
import type { Amount, UnixSeconds } from '../units.ts'

/** Circomlib's Poseidon over BN254; injected so that each host may bring a faster one. */
export interface Poseidon {
  (inputs: readonly bigint[]): bigint
  /**
   * Hashes neighbouring numbers, 32 little-endian bytes each, into half as many: what a tree needs of a
   * hash that works on bytes, without a bigint for every node. @throws RangeError as above.
   */
  readonly hashPairs?: (nodes: Uint8Array) => Uint8Array
}

/** Everything that opens a note. Whoever holds it can settle the note, and only as committed. */
export interface Note {
  /** Secret of the note, an element of the field. */
  readonly nk: bigint
  readonly recipient: Address
  readonly sender: Address
  /** Mint of the asset that is paid out. */
  readonly mint: Address
  /** What a delivery pays, in base units of `mint`. */
  readonly amountOut: Amount
  /** What a refund adds to `amountOut`: the fee of a send, 0 for a swap. */
  readonly feeBack: Amount
  /** Last second of delivery by the chain's clock. */
  readonly expiry: UnixSeconds
}

/** `Poseidon(hi, lo)` of a wallet or mint. */
export function hashAddress(poseidon: Poseidon, address: Address): bigint {
  const { hi, lo } = addressHalves(address)
  return poseidon([hi, lo])
}

/** `Poseidon(nk, recipientHi, recipientLo)`: the half of a note that hides its recipient. */
export function innerCommitment(poseidon: Poseidon, nk: bigint, recipient: Address): bigint {
  const { hi, lo } = addressHalves(recipient)
  return poseidon([nk, hi, lo])
}

/** What the program computes a leaf from; all of it stands in the deposit's transaction. */
export interface LeafTerms {
  readonly mint: Address
  readonly amountOut: bigint
  readonly feeBack: bigint
  readonly expiry: bigint
  readonly sender: Address
  readonly inner: bigint
}

/** `Poseidon(assetHash, amountOut, feeBack, expiry, senderHash, inner)`. */
export function leafOf(poseidon: Poseidon, terms: LeafTerms): bigint {
  return poseidon([
    hashAddress(poseidon, terms.mint),
    terms.amountOut,
    terms.feeBack,
    terms.expiry,
    hashAddress(poseidon, terms.sender),
    terms.inner,
  ])
}

/** The leaf that a note leaves in the tree. */
export function leafOfNote(poseidon: Poseidon, note: Note): bigint {
  return leafOf(poseidon, { ...note, inner: innerCommitment(poseidon, note.nk, note.recipient) })
}

/** `Poseidon(nk, leafIndex)`: published once, by delivery or refund alike, and never again. */
export function nullifierOf(poseidon: Poseidon, nk: bigint, leafIndex: bigint): bigint {
  return poseidon([nk, leafIndex])
}
