import type { SettleInputs } from '@sotto/protocol'

/** The settle circuit's inputs, public and private; each number is an element of its field. */
export type SettleWitness = SettleInputs

/** The public inputs in the circuit's order, which is also the program's. */
export function publicInputsOf(witness: SettleWitness): bigint[] {
  return [
    witness.root,
    witness.nullifier,
    witness.assetHash,
    witness.amount,
    witness.feeBack,
    witness.payeeHi,
    witness.payeeLo,
    witness.time,
    witness.refund,
  ]
}

/** A witness in the executable's format: the circuit's own names and decimal strings only. */
export function renderWitness(witness: SettleWitness): Record<string, string | string[]> {
  const decimal = (value: bigint) => value.toString()
  return {
    root: decimal(witness.root),
    nullifier: decimal(witness.nullifier),
    assetHash: decimal(witness.assetHash),
    amount: decimal(witness.amount),
    feeBack: decimal(witness.feeBack),
    payeeHi: decimal(witness.payeeHi),
    payeeLo: decimal(witness.payeeLo),
    time: decimal(witness.time),
    refund: decimal(witness.refund),
    fee: decimal(witness.fee),
    expiry: decimal(witness.expiry),
    nk: decimal(witness.nk),
    recipientHi: decimal(witness.recipientHi),
    recipientLo: decimal(witness.recipientLo),
    senderHi: decimal(witness.senderHi),
    senderLo: decimal(witness.senderLo),
    leafIndex: decimal(witness.leafIndex),
    path: witness.path.map(decimal),
  }
}
