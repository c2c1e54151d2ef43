import type { Address } from '@solana/kit'
import { addressHalves, fieldFromBytes } from '../field.ts'
import { amount, type Amount, type UnixSeconds } from '../units.ts'
import type { Point } from './owner.ts'

/** Circomlib's Poseidon over BN254; injected so that each host may bring a faster one. */
export interface Poseidon {
  (inputs: readonly bigint[]): bigint
  /**
   * Hashes each four neighbouring numbers, 32 little-endian bytes each, into one: what a tree needs of a hash
   * that works on bytes, without a bigint for every node. @throws RangeError as above.
   */
  readonly hashQuads?: (nodes: Uint8Array) => Uint8Array
}

/** Whom a note pays before its expiry. */
export type Claim =
  /** One recipient, one amount in base units; the rest of the value is the fee. */
  | { readonly kind: 'transfer'; readonly recipient: Address; readonly amountOut: Amount }
  /** Whom its owner, a key of BabyJubJub, signs for. */
  | { readonly kind: 'balance'; readonly owner: Point }

/** Everything that opens a note. With it a note can be settled, and only as committed. */
export interface Note {
  /** Secret of the note, an element of the field. */
  readonly nk: bigint
  readonly claim: Claim
  /** The wallet that deposited; a refund pays it. */
  readonly sender: Address
  /** Mint of the asset that is paid out. */
  readonly mint: Address
  /** All that the note pays, fees included, in base units of `mint`. */
  readonly value: Amount
  /** The order's, on the time grid. */
  readonly deadline: UnixSeconds
  /** Last second by the chain's clock before the note can only be refunded. */
  readonly expiry: UnixSeconds
}

/** First input of a claim's hash. */
const [TRANSFER, BALANCE] = [1n, 2n] as const

/** `Poseidon(hi, lo)` of a wallet. */
export function hashAddress(poseidon: Poseidon, address: Address): bigint {
  const { hi, lo } = addressHalves(address)
  return poseidon([hi, lo])
}

/** `Poseidon(domain, mintHi, mintLo)`. @throws RangeError for a domain that is no element of the field. */
export function assetHashOf(poseidon: Poseidon, domain: Uint8Array, mint: Address): bigint {
  const { hi, lo } = addressHalves(mint)
  return poseidon([fieldFromBytes(domain), hi, lo])
}

/** A claim's three inputs of the circuit. */
export function claimInputs(claim: Claim): [bigint, bigint, bigint] {
  if (claim.kind === 'balance') return [claim.owner.x, claim.owner.y, 0n]
  const { hi, lo } = addressHalves(claim.recipient)
  return [hi, lo, claim.amountOut]
}

/** `Poseidon(kind, ...)` of a claim. */
export function claimHash(poseidon: Poseidon, claim: Claim): bigint {
  return poseidon([claim.kind === 'transfer' ? TRANSFER : BALANCE, ...claimInputs(claim)])
}

/** `Poseidon(nk, claim, expiry)`: the part of a note that hides all but asset, value, deadline and sender. */
export function innerCommitment(
  poseidon: Poseidon,
  { nk, claim, expiry }: Pick<Note, 'nk' | 'claim' | 'expiry'>,
): bigint {
  return poseidon([nk, claimHash(poseidon, claim), expiry])
}

/** What the program computes a leaf from; all of it stands in the deposit's transaction. */
export interface LeafTerms {
  readonly mint: Address
  readonly value: bigint
  readonly deadline: bigint
  readonly sender: Address
  readonly inner: bigint
}

/** `Poseidon(assetHash, value, deadline, senderHash, inner)` in the pool of this domain. */
export function leafOf(poseidon: Poseidon, domain: Uint8Array, terms: LeafTerms): bigint {
  return poseidon([
    assetHashOf(poseidon, domain, terms.mint),
    terms.value,
    terms.deadline,
    hashAddress(poseidon, terms.sender),
    terms.inner,
  ])
}

/** The leaf that a note leaves in the tree of the pool with this domain. */
export function leafOfNote(poseidon: Poseidon, domain: Uint8Array, note: Note): bigint {
  return leafOf(poseidon, domain, { ...note, inner: innerCommitment(poseidon, note) })
}

/** `Poseidon(nk, leafIndex)`: published once, by whatever settles the note, and never again. */
export function nullifierOf(poseidon: Poseidon, nk: bigint, leafIndex: bigint): bigint {
  return poseidon([nk, leafIndex])
}

/**
 * `Poseidon(secret, nullifier)`: the `nk` of what a settlement leaves. A transfer's secret is its `nk`; a
 * balance's stays with its owner. The same settlement, proved again, leaves the same note.
 */
export function changeNkOf(poseidon: Poseidon, secret: bigint, nullifier: bigint): bigint {
  return poseidon([secret, nullifier])
}

/** The note that a settlement with this nullifier leaves: the same but for its value and `nk`. */
export function changeOf(
  poseidon: Poseidon,
  note: Note,
  left: { readonly nullifier: bigint; readonly secret: bigint; readonly change: bigint },
): Note {
  const nk = changeNkOf(poseidon, left.secret, left.nullifier)
  return { ...note, nk, value: amount(left.change) }
}
