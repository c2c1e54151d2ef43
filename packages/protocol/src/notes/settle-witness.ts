import { addressHalves } from '../field.ts'
import type { UnixSeconds } from '../units.ts'
import { hashAddress, leafOfNote, nullifierOf, type Note, type Poseidon } from './note.ts'
import { rootOfPath } from './merkle-tree.ts'

/** Where a note stands in the tree. */
export interface NotePosition {
  readonly leafIndex: bigint
  /** Siblings from the bottom up. */
  readonly path: readonly bigint[]
}

/** The settle circuit's inputs, public and private; names as in docs/protocol.md. */
export interface SettleInputs {
  readonly root: bigint
  readonly nullifier: bigint
  readonly assetHash: bigint
  readonly amount: bigint
  readonly feeBack: bigint
  readonly payeeHi: bigint
  readonly payeeLo: bigint
  readonly time: bigint
  readonly refund: bigint
  readonly fee: bigint
  readonly expiry: bigint
  readonly nk: bigint
  readonly recipientHi: bigint
  readonly recipientLo: bigint
  readonly senderHi: bigint
  readonly senderLo: bigint
  readonly leafIndex: bigint
  readonly path: bigint[]
}

/** What a proof of delivering or refunding `note` at `time` is made from. */
export function settleInputs(
  poseidon: Poseidon,
  note: Note,
  position: NotePosition,
  settle: { readonly isRefund: boolean; readonly time: UnixSeconds },
): SettleInputs {
  const recipient = addressHalves(note.recipient)
  const sender = addressHalves(note.sender)
  const payee = settle.isRefund ? sender : recipient
  const leaf = leafOfNote(poseidon, note)
  return {
    root: rootOfPath(poseidon, leaf, position.leafIndex, position.path),
    nullifier: nullifierOf(poseidon, note.nk, position.leafIndex),
    assetHash: hashAddress(poseidon, note.mint),
    amount: note.amountOut,
    feeBack: settle.isRefund ? note.feeBack : 0n,
    payeeHi: payee.hi,
    payeeLo: payee.lo,
    time: settle.time,
    refund: settle.isRefund ? 1n : 0n,
    fee: note.feeBack,
    expiry: note.expiry,
    nk: note.nk,
    recipientHi: recipient.hi,
    recipientLo: recipient.lo,
    senderHi: sender.hi,
    senderLo: sender.lo,
    leafIndex: position.leafIndex,
    path: [...position.path],
  }
}
