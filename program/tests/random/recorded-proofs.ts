import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { leafOfNote, MerkleTree, REFUND_WINDOW_SECONDS } from '@sotto/protocol'
import type { Order } from '../fixtures/deposits.ts'
import { START } from '../fixtures/pool.ts'
import { poseidon } from '../fixtures/poseidon.ts'

/** Proofs for the notes of the snapshot, made once so that no sequence has to prove. */
export const PROOFS_FILE = fileURLToPath(new URL('recorded-proofs.json', import.meta.url))
const VKEY_FILE = fileURLToPath(
  new URL('../../../packages/prover/artefacts/vkey.json', import.meta.url),
)

/** One proof: of which note, for what and for which public time. */
export interface ProofPlan {
  readonly note: number
  readonly isRefund: boolean
  readonly time: bigint
}

export interface RecordedProof extends ProofPlan {
  readonly proof: Uint8Array
}

/** Of every note a delivery and a refund, of some also an early delivery and the last refund. */
export function planProofs(orders: readonly Order[]): ProofPlan[] {
  return orders.flatMap(({ note }, index) => {
    const plans = [
      { note: index, isRefund: false, time: note.expiry as bigint },
      { note: index, isRefund: true, time: note.expiry + 600n },
    ]
    if (index % 3 === 0) plans.push({ note: index, isRefund: false, time: START + 600n })
    if (index % 4 === 1) {
      plans.push({ note: index, isRefund: true, time: note.expiry + REFUND_WINDOW_SECONDS })
    }
    return plans
  })
}

/** The tree of the snapshot's notes, in their order. */
export function treeOf(orders: readonly Order[]): MerkleTree {
  const tree = new MerkleTree(poseidon)
  tree.appendAll(orders.map(({ note }) => leafOfNote(poseidon, note)))
  return tree
}

/** SHA-256 of the verifying key that proofs are good for. */
export const vkeyHash = (): string =>
  createHash('sha256').update(readFileSync(VKEY_FILE)).digest('hex')

/** @throws Error where the proofs were made for another key or for other notes. */
export function readProofs(root: bigint): RecordedProof[] {
  const file = JSON.parse(readFileSync(PROOFS_FILE, 'utf8')) as {
    readonly vkeyHash: string
    readonly root: string
    readonly proofs: readonly { note: number; isRefund: boolean; time: string; proof: string }[]
  }
  if (file.vkeyHash !== vkeyHash() || file.root !== root.toString()) {
    throw new Error(
      'the recorded proofs are not current: npx tsx program/tests/random/record-proofs.ts',
    )
  }
  return file.proofs.map(({ note, isRefund, time, proof }) => ({
    note,
    isRefund,
    time: BigInt(time),
    proof: new Uint8Array(Buffer.from(proof, 'base64')),
  }))
}
