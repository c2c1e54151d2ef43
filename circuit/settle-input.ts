import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'
import { poseidon6 } from 'poseidon-lite/poseidon6'

/** Depth of the note tree, as in the circuit's main component. */
export const TREE_DEPTH = 26

/** Seconds after its expiry in which a note can be refunded, as in the circuit's main component. */
export const REFUND_WINDOW_SECONDS = 2_592_000n

/** An address as two integers below 2^128: its first and its last 16 bytes, big-endian. */
export interface Halves {
  hi: bigint
  lo: bigint
}

/** A note before it is hashed; `amount` and `fee` in base units, `expiry` in Unix seconds. */
export interface Note {
  assetHash: bigint
  amount: bigint
  fee: bigint
  expiry: bigint
  nk: bigint
  recipient: Halves
  sender: Halves
}

/** Where a leaf stands: its index and the siblings from its own level upwards. */
export interface Place {
  leafIndex: bigint
  path: bigint[]
}

/** Every input signal of the settle circuit, under the circuit's own names. */
export interface SettleInput {
  root: bigint
  nullifier: bigint
  assetHash: bigint
  amount: bigint
  feeBack: bigint
  payeeHi: bigint
  payeeLo: bigint
  time: bigint
  refund: bigint
  fee: bigint
  expiry: bigint
  nk: bigint
  recipientHi: bigint
  recipientLo: bigint
  senderHi: bigint
  senderLo: bigint
  leafIndex: bigint
  path: bigint[]
}

/** The leaf of a note: docs/protocol.md, "The note". */
export function hashNote(note: Note): bigint {
  const inner = poseidon3([note.nk, note.recipient.hi, note.recipient.lo])
  const senderHash = poseidon2([note.sender.hi, note.sender.lo])
  return poseidon6([note.assetHash, note.amount, note.fee, note.expiry, senderHash, inner])
}

/** The root above a leaf; a set bit of the index, lowest first, means that the node is the right child. */
export function rootAbove(leaf: bigint, { leafIndex, path }: Place): bigint {
  let node = leaf
  path.forEach((sibling, level) => {
    const isRight = (leafIndex >> BigInt(level)) & 1n
    node = isRight === 1n ? poseidon2([sibling, node]) : poseidon2([node, sibling])
  })
  return node
}

/** The complete input that settles `note` at `time`; it is valid if `time` is within the rules. */
export function makeSettleInput(
  note: Note,
  place: Place,
  kind: 'deliver' | 'refund',
  time: bigint,
): SettleInput {
  const payee = kind === 'deliver' ? note.recipient : note.sender
  return {
    root: rootAbove(hashNote(note), place),
    nullifier: poseidon2([note.nk, place.leafIndex]),
    assetHash: note.assetHash,
    amount: note.amount,
    feeBack: kind === 'deliver' ? 0n : note.fee,
    payeeHi: payee.hi,
    payeeLo: payee.lo,
    time,
    refund: kind === 'deliver' ? 0n : 1n,
    fee: note.fee,
    expiry: note.expiry,
    nk: note.nk,
    recipientHi: note.recipient.hi,
    recipientLo: note.recipient.lo,
    senderHi: note.sender.hi,
    senderLo: note.sender.lo,
    leafIndex: place.leafIndex,
    path: place.path,
  }
}

/** The same input as decimal strings, the form that snarkjs and the prover take. */
export function toDecimals(input: SettleInput): Record<string, string | string[]> {
  const decimals = Object.entries(input).map(([name, value]: [string, bigint | bigint[]]) => [
    name,
    Array.isArray(value) ? value.map(String) : String(value),
  ])
  return Object.fromEntries(decimals) as Record<string, string | string[]>
}
