import type { Address } from '@solana/kit'
import { MAX_DEPOSIT_SECONDS } from '../constants.ts'
import { addressHalves, fieldFromBytes } from '../field.ts'
import { renewedDeadline } from '../times.ts'
import { unixSeconds, type Amount, type UnixSeconds } from '../units.ts'
import type { Point } from './owner.ts'

/** Circomlib's Poseidon over BN254. It is injected, so that each host can provide a faster implementation. */
export interface Poseidon {
  (inputs: readonly bigint[]): bigint
  /**
   * Hashes each group of four neighbouring numbers, 32 little-endian bytes each, into one number. A tree that hashes
   * bytes needs no bigint for each node. @throws RangeError as for single hashes.
   */
  readonly hashQuads?: (nodes: Uint8Array) => Uint8Array
}

/** Decides whom a note can pay until its expiry. */
export type Claim =
  /** One recipient with one amount in base units. The rest of the note's value is the fee. */
  | { readonly kind: 'transfer'; readonly recipient: Address; readonly amountOut: Amount }
  /** A balance pays each payee that its owner, a BabyJubJub key, signs for. */
  | { readonly kind: 'balance'; readonly owner: Point }

/**
 * All data of a note. Anyone who has this data can deliver a transfer, or refund a note to its sender after its expiry.
 * A payment out of a balance also needs the signature of the balance's owner.
 */
export interface Note {
  /** Secret of the note, an element of the field. */
  readonly nk: bigint
  readonly claim: Claim
  /** The wallet that deposited. A refund pays this wallet. */
  readonly sender: Address
  /** Mint of the asset that is paid out. */
  readonly mint: Address
  /** The note's whole value, fees included, in base units of `mint`. */
  readonly value: Amount
  /** The order's deadline, a multiple of 600 seconds. A balance's payment can postpone it: see `renewedDeadline`. */
  readonly deadline: UnixSeconds
  /**
   * Last second, by the chain's clock, at which the note can be paid out. After this second, only a refund is possible.
   */
  readonly expiry: UnixSeconds
}

/** First input of a claim's hash: the number of the claim's kind. */
const [TRANSFER, BALANCE] = [1n, 2n] as const

/** `Poseidon(hi, lo)` of a wallet. */
export function hashAddress(poseidon: Poseidon, address: Address): bigint {
  const { hi, lo } = addressHalves(address)
  return poseidon([hi, lo])
}

/**
 * The hash of an asset in a pool: `Poseidon(domain, mintHi, mintLo)`. @throws RangeError if the domain isn't an element
 * of the field.
 */
export function assetHashOf(poseidon: Poseidon, domain: Uint8Array, mint: Address): bigint {
  const { hi, lo } = addressHalves(mint)
  return poseidon([fieldFromBytes(domain), hi, lo])
}

/** The circuit's three inputs for a claim. */
export function claimInputs(claim: Claim): [bigint, bigint, bigint] {
  if (claim.kind === 'balance') return [claim.owner.x, claim.owner.y, 0n]
  const { hi, lo } = addressHalves(claim.recipient)
  return [hi, lo, claim.amountOut]
}

/** `Poseidon(kind, ...)` of a claim. */
export function claimHash(poseidon: Poseidon, claim: Claim): bigint {
  return poseidon([claim.kind === 'transfer' ? TRANSFER : BALANCE, ...claimInputs(claim)])
}

/** `Poseidon(nk, claim, expiry)`. It hides all parts of a note except asset, value, deadline and sender. */
export function innerCommitment(
  poseidon: Poseidon,
  { nk, claim, expiry }: Pick<Note, 'nk' | 'claim' | 'expiry'>,
): bigint {
  return poseidon([nk, claimHash(poseidon, claim), expiry])
}

/** The values from which the program computes a leaf. The deposit's transaction contains all of them. */
export interface LeafTerms {
  readonly mint: Address
  readonly value: Amount
  readonly deadline: UnixSeconds
  readonly sender: Address
  readonly inner: bigint
}

/** `Poseidon(assetHash, value, deadline, senderHash, inner)` in the pool of this domain. */
export function leafOf(poseidon: Poseidon, domain: Uint8Array, terms: LeafTerms): bigint {
  return leafUnder(poseidon, assetHashOf(poseidon, domain, terms.mint), terms)
}

/** The same leaf as `leafOf` returns, for callers that already know the asset's hash. */
export function leafUnder(
  poseidon: Poseidon,
  assetHash: bigint,
  { value, deadline, sender, inner }: Omit<LeafTerms, 'mint'>,
): bigint {
  return poseidon([assetHash, value, deadline, hashAddress(poseidon, sender), inner])
}

/** The note's leaf in the tree of the pool with this domain. */
export function leafOfNote(poseidon: Poseidon, domain: Uint8Array, note: Note): bigint {
  return leafOf(poseidon, domain, { ...note, inner: innerCommitment(poseidon, note) })
}

/** `Poseidon(nk, leafIndex)`. The note's settlement publishes it, and the program accepts each nullifier only once. */
export function nullifierOf(poseidon: Poseidon, nk: bigint, leafIndex: bigint): bigint {
  return poseidon([nk, leafIndex])
}

/**
 * The `nk` of a settlement's change note: `Poseidon(secret, nullifier)`. For a delivery or a refund, the secret is the
 * note's `nk`. For a payment, it is the secret of the balance's owner. Proving the same settlement again gives the same
 * change note.
 */
export function changeNkOf(poseidon: Poseidon, secret: bigint, nullifier: bigint): bigint {
  return poseidon([secret, nullifier])
}

/** The values that determine how a change note differs from the settled note. */
export interface LeftInNote {
  readonly nk: bigint
  readonly value: Amount
  /**
   * The last grid time (a multiple of 600 seconds) at which a payment's signature is valid. Undefined for a delivery or
   * a refund, because they don't postpone the deadline.
   */
  readonly validUntil: UnixSeconds | undefined
}

/** The change note of a settlement: the settled note with the members that changed. */
export function leftOf(note: Note, { nk, value, validUntil }: LeftInNote): Note {
  const deadline =
    validUntil === undefined ? note.deadline : renewedDeadline(note.deadline, validUntil)
  const expiry = unixSeconds(note.expiry + deadline - note.deadline)
  return { ...note, nk, value, deadline, expiry }
}

/** The input for a settlement's change note. Its `nk` is derived from `secret`. */
export interface Left extends Pick<LeftInNote, 'validUntil'> {
  readonly nullifier: bigint
  readonly secret: bigint
  readonly change: Amount
}

/** The change note of a settlement with this nullifier. */
export function changeOf(poseidon: Poseidon, note: Note, left: Left): Note {
  const { nullifier, secret, change: value, validUntil } = left
  return leftOf(note, { nk: changeNkOf(poseidon, secret, nullifier), value, validUntil })
}

/** The facts that the chain shows about a payment out of a balance. */
export interface ShownPayment {
  /** The settlement's public time. */
  readonly time: UnixSeconds
  readonly changeLeaf: bigint
}

/**
 * The change note of a payment on the chain. The chain doesn't show the payment's `validUntil`, from which the change
 * note's deadline follows. But the circuit allows only deadlines up to an hour after the payment's time, so only one or
 * two deadlines are possible. If neither of them gives the leaf on the chain, the payer's software used another rule.
 * The result is then a note that isn't in the tree.
 */
export function changeOfShown(
  poseidon: Poseidon,
  domain: Uint8Array,
  note: Note,
  left: Omit<Left, 'validUntil'>,
  { time, changeLeaf }: ShownPayment,
): Note {
  const early = changeOf(poseidon, note, { ...left, validUntil: time })
  const validUntil = unixSeconds(time + MAX_DEPOSIT_SECONDS)
  const late = leftOf(note, { nk: early.nk, value: early.value, validUntil })
  if (late.deadline === early.deadline) return early
  return leafOfNote(poseidon, domain, late) === changeLeaf ? late : early
}
