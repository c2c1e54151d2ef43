import type { SettleInputs } from '@sotto/protocol'

/** The public and private inputs of the settle circuit. Each number is an element of the circuit's field. */
export type SettleWitness = SettleInputs

/** The public inputs in the order that the circuit and the program use. */
export function publicInputsOf(witness: SettleWitness): bigint[] {
  return [
    witness.root,
    witness.nullifier,
    witness.assetHash,
    witness.payout,
    witness.fee,
    witness.payeeHi,
    witness.payeeLo,
    witness.time,
    witness.refund,
    witness.changeLeaf,
  ]
}

/** A witness in the format that the prover's process reads: the circuit's own names, and numbers as decimal strings. */
export function renderWitness(witness: SettleWitness): Record<string, string | string[]> {
  const decimal = (value: bigint) => value.toString()
  return {
    root: decimal(witness.root),
    nullifier: decimal(witness.nullifier),
    assetHash: decimal(witness.assetHash),
    payout: decimal(witness.payout),
    fee: decimal(witness.fee),
    payeeHi: decimal(witness.payeeHi),
    payeeLo: decimal(witness.payeeLo),
    time: decimal(witness.time),
    refund: decimal(witness.refund),
    changeLeaf: decimal(witness.changeLeaf),
    deadline: decimal(witness.deadline),
    expiry: decimal(witness.expiry),
    senderHi: decimal(witness.senderHi),
    senderLo: decimal(witness.senderLo),
    nk: decimal(witness.nk),
    isBalance: decimal(witness.isBalance),
    claim: witness.claim.map(decimal),
    leafIndex: decimal(witness.leafIndex),
    path: witness.path.map(decimal),
    change: decimal(witness.change),
    changeNk: decimal(witness.changeNk),
    changeDeadline: decimal(witness.changeDeadline),
    validUntil: decimal(witness.validUntil),
    S: decimal(witness.S),
    R8x: decimal(witness.R8x),
    R8y: decimal(witness.R8y),
  }
}
