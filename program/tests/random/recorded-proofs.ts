import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  amount,
  leafOfNote,
  MerkleTree,
  REFUND_WINDOW_SECONDS,
  unixSeconds,
  type Address,
  type Settlement,
} from '@sotto/protocol'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import type { Order } from '../fixtures/deposits.ts'
import { DOMAIN, START } from '../fixtures/pool.ts'
import { vkeyHash } from '../fixtures/recorded-settlements.ts'
import type { SettleWish } from '../fixtures/settlements.ts'
import type { SnapshotOrder } from './snapshot-orders.ts'

/** The file with proofs for the snapshot's notes. They are recorded, so a sequence needs no time for proving. */
export const PROOFS_FILE = fileURLToPath(new URL('recorded-proofs.json', import.meta.url))
/** The fee of payments from balances. */
const FEE = 3_000_000n
/** The amount of a payment that leaves change. */
const PART = 300_000_000n

/** The plan of one proof: the note, and the kind of settlement. */
export interface ProofPlan {
  readonly note: number
  readonly wish: SettleWish
}

export interface RecordedProof {
  readonly note: number
  readonly settlement: Settlement
}

/** A payment of part of a balance, or of all of it. */
function paymentOf({ note, recipient }: SnapshotOrder, isPart: boolean, time: bigint): SettleWish {
  const payout = isPart ? PART : note.value - FEE
  return { time, payment: { payee: recipient, payout, fee: FEE } }
}

/**
 * The time of every note's first delivery. All notes can be delivered at this time, and the delivery can land from the
 * start of a sequence.
 */
const SOON = START + 1_800n

/**
 * The proofs to make. Every note has a delivery and a refund. Some notes also have a delivery at the expiry, and some
 * have the last possible refund. A balance has payments instead of deliveries: first a payment of a part, and at the
 * expiry a payment of everything.
 */
export function planProofs(orders: readonly SnapshotOrder[]): ProofPlan[] {
  return orders.flatMap((order, index) => {
    const { expiry } = order.note
    const isBalance = order.owner !== undefined
    const pay = (isPart: boolean, time: bigint) =>
      isBalance ? paymentOf(order, isPart, time) : { time }
    const wishes: SettleWish[] = [
      pay(true, SOON),
      { isRefund: true, time: expiry + 600n },
      ...(isBalance || index % 3 === 0 ? [pay(false, expiry)] : []),
      ...(index % 4 === 1 ? [{ isRefund: true, time: expiry + REFUND_WINDOW_SECONDS }] : []),
    ]
    return wishes.map((wish) => ({ note: index, wish }))
  })
}

/** The tree of the snapshot's notes, in the order of the notes. */
export function treeOf(orders: readonly Order[]): MerkleTree {
  const tree = new MerkleTree(poseidon)
  tree.appendAll(orders.map(({ note }) => leafOfNote(poseidon, DOMAIN, note)))
  return tree
}

/** A settlement in the file's form: numbers as text, and the proof in base64. */
type Written = Readonly<Record<'nullifier' | 'payout' | 'fee' | 'changeLeaf' | 'time', string>> & {
  readonly note: number
  readonly isRefund: boolean
  readonly payee: Address
  readonly proof: string
}

/** The text of the file. */
export function renderProofs(root: bigint, proofs: readonly RecordedProof[]): string {
  const written = proofs.map(({ note, settlement }): Written => {
    const { isRefund, nullifier, payout, fee, payee, changeLeaf, time, proof } = settlement
    const numbers = Object.entries({ nullifier, payout, fee, changeLeaf, time })
    const texts = Object.fromEntries(numbers.map(([name, value]) => [name, value.toString()]))
    const text = Buffer.from(proof).toString('base64')
    return { note, isRefund, ...texts, payee, proof: text } as Written
  })
  const file = { vkeyHash: vkeyHash(), root: root.toString(), proofs: written }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** The recorded proofs. Reads the file. @throws Error if the proofs were made for another key or for other notes. */
export function readProofs(root: bigint, leaves: number): RecordedProof[] {
  const file = JSON.parse(readFileSync(PROOFS_FILE, 'utf8')) as {
    readonly vkeyHash: string
    readonly root: string
    readonly proofs: readonly Written[]
  }
  if (file.vkeyHash !== vkeyHash() || file.root !== root.toString()) {
    throw new Error(
      'the recorded proofs are not current; run npx tsx program/tests/random/record-proofs.ts',
    )
  }
  return file.proofs.map(({ note, isRefund, payee, proof, ...numbers }) => ({
    note,
    settlement: {
      isRefund,
      root: { kind: 'recent', index: leaves - 1 },
      nullifier: BigInt(numbers.nullifier),
      payout: amount(BigInt(numbers.payout)),
      fee: amount(BigInt(numbers.fee)),
      payee,
      changeLeaf: BigInt(numbers.changeLeaf),
      time: unixSeconds(BigInt(numbers.time)),
      proof: new Uint8Array(Buffer.from(proof, 'base64')),
    },
  }))
}
