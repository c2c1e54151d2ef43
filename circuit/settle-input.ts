import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'
import { poseidon4 } from 'poseidon-lite/poseidon4'
import { poseidon5 } from 'poseidon-lite/poseidon5'
import { poseidon7 } from 'poseidon-lite/poseidon7'

/** Levels of the note tree, as in the circuit's main component. Each node has four children. */
export const TREE_LEVELS = 13

/** Maximum number of seconds from a note's deadline to its expiry, as in the circuit's main component. */
export const MAX_LIFE_SECONDS = 2_595_600n

/** Number of seconds after a note's expiry in which the note can be refunded, as in the circuit's main component. */
export const REFUND_WINDOW_SECONDS = 2_592_000n

/** Maximum number of seconds from a payment's time to its change's deadline, as in the circuit's main component. */
export const MAX_DEPOSIT_SECONDS = 3_600n

/** An address as two integers below 2^128: its first and its last 16 bytes, big-endian. */
export interface Halves {
  hi: bigint
  lo: bigint
}

/** Affine coordinates of a point of BabyJubJub. */
export type Point = readonly [x: bigint, y: bigint]

/** An EdDSA signature. */
export interface Signature {
  S: bigint
  R8: Point
}

/** The claim of a note: a recipient with an amount, or an owner, who can sign for any payee. */
export type Claim =
  | { kind: 'transfer'; recipient: Halves; amountOut: bigint }
  | { kind: 'balance'; owner: Point }

/** A note before it is hashed. `value` is in base units, both times are in Unix seconds. */
export interface Note {
  assetHash: bigint
  value: bigint
  deadline: bigint
  expiry: bigint
  nk: bigint
  sender: Halves
  claim: Claim
}

/** A leaf's place in the tree: its index, and three siblings for each level, from the leaf's own level upwards. */
export interface Place {
  leafIndex: bigint
  path: bigint[]
}

/** The owner's choices for a payment. `sign` signs the message. */
export interface Payment {
  payee: Halves
  payout: bigint
  fee: bigint
  changeNk: bigint
  /** The deadline of the change; by default the deadline of the paying note. */
  changeDeadline?: bigint
  validUntil: bigint
  sign: (message: bigint) => Signature
}

/** A settlement at the public time `time`. */
export type Settlement = { time: bigint } & (
  | { kind: 'deliver' | 'refund' }
  | ({ kind: 'pay' } & Payment)
)

/** Every input signal of the settle circuit, under the circuit's own names. */
export interface SettleInput {
  root: bigint
  nullifier: bigint
  assetHash: bigint
  payout: bigint
  fee: bigint
  payeeHi: bigint
  payeeLo: bigint
  time: bigint
  refund: bigint
  changeLeaf: bigint
  deadline: bigint
  expiry: bigint
  senderHi: bigint
  senderLo: bigint
  nk: bigint
  isBalance: bigint
  claim: bigint[]
  leafIndex: bigint
  path: bigint[]
  change: bigint
  changeNk: bigint
  changeDeadline: bigint
  validUntil: bigint
  S: bigint
  R8x: bigint
  R8y: bigint
}

/** The public inputs in the circuit's order. */
export const PUBLIC_SIGNALS = [
  ...(['root', 'nullifier', 'assetHash', 'payout', 'fee'] as const),
  ...(['payeeHi', 'payeeLo', 'time', 'refund', 'changeLeaf'] as const),
]

/** The three numbers of a claim in the circuit's order. */
export function claimNumbers(claim: Claim): [bigint, bigint, bigint] {
  if (claim.kind === 'balance') return [claim.owner[0], claim.owner[1], 0n]
  return [claim.recipient.hi, claim.recipient.lo, claim.amountOut]
}

/** The hash of a claim. The claim's kind is part of the hash. */
export const hashClaim = (claim: Claim): bigint =>
  poseidon4([claim.kind === 'transfer' ? 1n : 2n, ...claimNumbers(claim)])

/** The inner commitment of a note. A deposit publishes it instead of the note's hidden members. */
export const hashInner = (note: Note): bigint =>
  poseidon3([note.nk, hashClaim(note.claim), note.expiry])

/** The leaf of a note, as defined in docs/protocol.md, "The note". */
export function hashNote(note: Note): bigint {
  const senderHash = poseidon2([note.sender.hi, note.sender.lo])
  return poseidon5([note.assetHash, note.value, note.deadline, senderHash, hashInner(note)])
}

/** The nullifier of a note at this index. */
export const hashNullifier = (note: Note, leafIndex: bigint): bigint =>
  poseidon2([note.nk, leafIndex])

/** The message that an owner signs, computed from the circuit's own inputs. */
export function hashMessage(
  input: Pick<
    SettleInput,
    Exclude<(typeof PUBLIC_SIGNALS)[number], 'root' | 'assetHash' | 'time' | 'refund'>
  > & {
    validUntil: bigint
  },
): bigint {
  const { nullifier, payeeHi, payeeLo, payout, fee, changeLeaf, validUntil } = input
  return poseidon7([nullifier, payeeHi, payeeLo, payout, fee, changeLeaf, validUntil])
}

/**
 * The root above a leaf. The index has two bits for each level; the lowest bits belong to the lowest level. The low bit
 * is 1 if the node is the second of its pair. The high bit is 1 if the node is in the second pair.
 */
export function rootAbove(leaf: bigint, { leafIndex, path }: Place): bigint {
  let node = leaf
  for (let level = 0; 3 * level < path.length; level++) {
    const place = (leafIndex >> BigInt(2 * level)) & 3n
    const [sibling, ...others] = path.slice(3 * level, 3 * level + 3) as [bigint, bigint, bigint]
    const pair = (place & 1n) === 1n ? [sibling, node] : [node, sibling]
    node = poseidon4(place >= 2n ? [...others, ...pair] : [...pair, ...others])
  }
  return node
}

/** The signature inputs of settlements that need no signature. The circuit still requires that R8 is on the curve. */
const NO_SIGNATURE: Signature = { S: 0n, R8: [0n, 1n] }

/**
 * The payee, the amounts, and the key and deadline of the change. The owner chose them for a payment. For a delivery or
 * a refund, they follow from the note.
 */
function paymentOf(note: Note, nullifier: bigint, settlement: Settlement): Payment {
  if (settlement.kind === 'pay') return settlement
  const { claim } = note
  const isDelivery = settlement.kind === 'deliver' && claim.kind === 'transfer'
  return {
    payee: isDelivery ? claim.recipient : note.sender,
    payout: isDelivery ? claim.amountOut : note.value,
    fee: isDelivery ? note.value - claim.amountOut : 0n,
    changeNk: poseidon2([note.nk, nullifier]),
    validUntil: 0n,
    sign: () => NO_SIGNATURE,
  }
}

/** The complete input of a settlement. It is valid if the settlement follows the rules. */
export function makeSettleInput(note: Note, place: Place, settlement: Settlement): SettleInput {
  const nullifier = hashNullifier(note, place.leafIndex)
  const payment = paymentOf(note, nullifier, settlement)
  const { payee, payout, fee, changeNk, changeDeadline = note.deadline, validUntil } = payment
  const change = note.value - payout - fee
  const times = {
    deadline: changeDeadline,
    expiry: note.expiry + changeDeadline - note.deadline,
  }
  const shown = {
    root: rootAbove(hashNote(note), place),
    nullifier,
    assetHash: note.assetHash,
    payout,
    fee,
    payeeHi: payee.hi,
    payeeLo: payee.lo,
    time: settlement.time,
    refund: settlement.kind === 'refund' ? 1n : 0n,
    changeLeaf: hashNote({ ...note, ...times, value: change, nk: changeNk }),
  }
  const { S, R8 } = payment.sign(hashMessage({ ...shown, validUntil }))
  return {
    ...shown,
    deadline: note.deadline,
    expiry: note.expiry,
    senderHi: note.sender.hi,
    senderLo: note.sender.lo,
    nk: note.nk,
    isBalance: note.claim.kind === 'balance' ? 1n : 0n,
    claim: claimNumbers(note.claim),
    leafIndex: place.leafIndex,
    path: place.path,
    change,
    changeNk,
    changeDeadline,
    validUntil,
    S,
    R8x: R8[0],
    R8y: R8[1],
  }
}

/** The input as decimal strings, which is the form that snarkjs and the prover read. */
export function toDecimals(input: SettleInput): Record<string, string | string[]> {
  const decimals = Object.entries(input).map(([name, value]: [string, bigint | bigint[]]) => [
    name,
    Array.isArray(value) ? value.map(String) : String(value),
  ])
  return Object.fromEntries(decimals) as Record<string, string | string[]>
}
