import type { Address } from '@solana/kit'
import { addressHalves } from '../field.ts'
import { NOTHING, sumOf, unixSeconds, without, type Amount, type UnixSeconds } from '../units.ts'
import { rootOfPath } from './merkle-tree.ts'
import {
  assetHashOf,
  changeNkOf,
  claimInputs,
  leafOfNote,
  leftOf,
  nullifierOf,
  type Note,
  type Poseidon,
} from './note.ts'
import type { Point } from './owner.ts'

/** A note's position in the tree, with the path that proves it. */
export interface NotePosition {
  readonly leafIndex: bigint
  /** Three siblings per level from the bottom up, 39 in all. */
  readonly path: readonly bigint[]
}

/** An EdDSA-Poseidon signature over BabyJubJub. */
export interface OwnerSignature {
  readonly S: bigint
  readonly R8: Point
}

/** A settlement to prove. `time` is its public time, a multiple of 600 seconds. */
export type SettleRequest =
  /** Pays a transfer's recipient. The rest of the value is the fee. */
  | { readonly kind: 'deliver'; readonly time: UnixSeconds }
  /** Pays the whole value to the sender. */
  | { readonly kind: 'refund'; readonly time: UnixSeconds }
  /** Pays a payee from a balance, as the balance's owner signed. */
  | {
      readonly kind: 'pay'
      readonly time: UnixSeconds
      readonly payee: Address
      readonly payout: Amount
      readonly fee: Amount
      /** The secret `nk` of the change note, which gets the rest of the value. */
      readonly changeNk: bigint
      /** The last multiple of 600 seconds at which the signature is valid. */
      readonly validUntil: UnixSeconds
      readonly signature: OwnerSignature
    }

/** The settle circuit's inputs, public and private. The names are the same as in docs/protocol.md. */
export interface SettleInputs {
  readonly root: bigint
  readonly nullifier: bigint
  readonly assetHash: bigint
  readonly payout: Amount
  readonly fee: Amount
  readonly payeeHi: bigint
  readonly payeeLo: bigint
  readonly time: UnixSeconds
  readonly refund: bigint
  readonly changeLeaf: bigint
  readonly deadline: UnixSeconds
  readonly expiry: UnixSeconds
  readonly senderHi: bigint
  readonly senderLo: bigint
  readonly nk: bigint
  readonly isBalance: bigint
  readonly claim: bigint[]
  readonly leafIndex: bigint
  readonly path: bigint[]
  readonly change: Amount
  readonly changeNk: bigint
  readonly changeDeadline: UnixSeconds
  readonly validUntil: UnixSeconds
  readonly S: bigint
  readonly R8x: bigint
  readonly R8y: bigint
}

/** The amounts that a settlement moves, and its change note. */
interface Movement {
  readonly payee: Address
  readonly payout: Amount
  readonly fee: Amount
  readonly change: Amount
  readonly changeNk: bigint
  readonly validUntil: UnixSeconds
  readonly signature: OwnerSignature
}

/**
 * Fills the circuit's signature inputs if there is no signature: the circuit always requires that R8 is on the curve.
 */
const NO_SIGNATURE: OwnerSignature = { S: 0n, R8: { x: 0n, y: 1n } }

function movementOf(
  poseidon: Poseidon,
  note: Note,
  nullifier: bigint,
  request: SettleRequest,
): Movement {
  const { claim, value } = note
  if (request.kind === 'pay') {
    if (claim.kind !== 'balance') throw new RangeError('a transfer pays only its recipient')
    return { ...request, change: without(value, sumOf([request.payout, request.fee])) }
  }
  const changeNk = changeNkOf(poseidon, note.nk, nullifier)
  const rest = { change: NOTHING, changeNk, validUntil: unixSeconds(0n), signature: NO_SIGNATURE }
  if (request.kind === 'refund') return { payee: note.sender, payout: value, fee: NOTHING, ...rest }
  if (claim.kind !== 'transfer')
    throw new RangeError("a balance pays only with its owner's signature")
  const { recipient, amountOut } = claim
  return { payee: recipient, payout: amountOut, fee: without(value, amountOut), ...rest }
}

/**
 * The circuit's inputs for a settlement of this note, in the pool with this domain.
 * @throws RangeError if this kind of note doesn't allow the request, or if the request exceeds the note's value.
 */
export function settleInputs(
  poseidon: Poseidon,
  domain: Uint8Array,
  note: Note,
  position: NotePosition,
  request: SettleRequest,
): SettleInputs {
  const nullifier = nullifierOf(poseidon, note.nk, position.leafIndex)
  const movement = movementOf(poseidon, note, nullifier, request)
  const { change, changeNk, signature } = movement
  const [payee, sender] = [addressHalves(movement.payee), addressHalves(note.sender)]
  const validUntil = request.kind === 'pay' ? request.validUntil : undefined
  const left = leftOf(note, { nk: changeNk, value: change, validUntil })
  const leaf = leafOfNote(poseidon, domain, note)
  return {
    root: rootOfPath(poseidon, leaf, position.leafIndex, position.path),
    nullifier,
    assetHash: assetHashOf(poseidon, domain, note.mint),
    payout: movement.payout,
    fee: movement.fee,
    payeeHi: payee.hi,
    payeeLo: payee.lo,
    time: request.time,
    refund: request.kind === 'refund' ? 1n : 0n,
    changeLeaf: leafOfNote(poseidon, domain, left),
    deadline: note.deadline,
    expiry: note.expiry,
    senderHi: sender.hi,
    senderLo: sender.lo,
    nk: note.nk,
    isBalance: note.claim.kind === 'balance' ? 1n : 0n,
    claim: claimInputs(note.claim),
    leafIndex: position.leafIndex,
    path: [...position.path],
    change,
    changeNk,
    changeDeadline: left.deadline,
    validUntil: movement.validUntil,
    S: signature.S,
    R8x: signature.R8.x,
    R8y: signature.R8.y,
  }
}

/** The payment that a balance's owner signs. */
export interface Payment {
  readonly nullifier: bigint
  readonly payee: Address
  readonly payout: Amount
  readonly fee: Amount
  readonly changeLeaf: bigint
  readonly validUntil: UnixSeconds
}

/** The message that the owner signs: `Poseidon(nullifier, payeeHi, payeeLo, payout, fee, changeLeaf, validUntil)`. */
export function paymentMessage(poseidon: Poseidon, payment: Payment): bigint {
  const { nullifier, payout, fee, changeLeaf, validUntil } = payment
  const { hi, lo } = addressHalves(payment.payee)
  return poseidon([nullifier, hi, lo, payout, fee, changeLeaf, validUntil])
}
