import { readFile } from 'node:fs/promises'
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'
import { poseidon6 } from 'poseidon-lite/poseidon6'
import { describe, expect, it } from 'vitest'
import {
  addressFromBytes,
  amount,
  leafOfNote,
  nullifierOf,
  rootOfPath,
  settleInputs,
  unixSeconds,
  type Note,
  type Poseidon,
} from '../index.ts'

// The circuit's own tools wrote these vectors, with hashing code of their own, and prove from them. What
// this package computes must agree, or a note made here could never be settled.
interface Vectors {
  note: Record<
    'mint' | 'recipient' | 'sender' | 'amountOut' | 'feeBack' | 'expiry' | 'nk' | 'leaf',
    string
  >
  cases: {
    name: string
    kind: 'deliver' | 'refund'
    input: Record<string, string> & { path: string[] }
    publicInputs: string[]
  }[]
}

const file = new URL('../../../vectors/circuit.json', import.meta.url)
const vectors = JSON.parse(await readFile(file, 'utf8')) as Vectors

const poseidon: Poseidon = (inputs) => {
  const hashes: Record<number, (values: bigint[]) => bigint> = {
    2: poseidon2,
    3: poseidon3,
    6: poseidon6,
  }
  return hashes[inputs.length]!([...inputs])
}

const addressOf = (hex: string) => addressFromBytes(new Uint8Array(Buffer.from(hex, 'hex')))
const recorded = vectors.note
const note: Note = {
  nk: BigInt(recorded.nk),
  recipient: addressOf(recorded.recipient),
  sender: addressOf(recorded.sender),
  mint: addressOf(recorded.mint),
  amountOut: amount(BigInt(recorded.amountOut)),
  feeBack: amount(BigInt(recorded.feeBack)),
  expiry: unixSeconds(BigInt(recorded.expiry)),
}

it('a note has the leaf that the circuit computes', () => {
  expect(leafOfNote(poseidon, note)).toBe(BigInt(recorded.leaf))
})

it('each part of a note changes its leaf', () => {
  const other = note.mint
  const changes: Partial<Note>[] = [
    { nk: note.nk + 1n },
    { recipient: other },
    { sender: other },
    { mint: note.sender },
    { amountOut: amount(note.amountOut + 1n) },
    { feeBack: amount(note.feeBack + 1n) },
    { expiry: unixSeconds(note.expiry + 1n) },
  ]
  const leaves = changes.map((change) => leafOfNote(poseidon, { ...note, ...change }))
  expect(new Set([...leaves, BigInt(recorded.leaf)]).size).toBe(changes.length + 1)
})

it('deliveries and refunds are recorded', () => {
  expect(new Set(vectors.cases.map(({ kind }) => kind))).toEqual(new Set(['deliver', 'refund']))
})

describe.each(vectors.cases)('$name', ({ kind, input, publicInputs }) => {
  const path = input.path.map(BigInt)
  const leafIndex = BigInt(input['leafIndex']!)

  it('has the root above its leaf', () => {
    const root = rootOfPath(poseidon, BigInt(recorded.leaf), leafIndex, path)
    expect(root).toBe(BigInt(input['root']!))
  })

  it('has the nullifier of its note and place', () => {
    expect(nullifierOf(poseidon, note.nk, leafIndex)).toBe(BigInt(input['nullifier']!))
  })

  it('has every input of the circuit, public ones in its order', () => {
    const settle = { isRefund: kind === 'refund', time: unixSeconds(BigInt(input['time']!)) }
    const made = settleInputs(poseidon, note, { leafIndex, path }, settle)
    const { path: madePath, ...rest } = made
    const decimals = Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [name, String(value)]),
    )
    expect({ ...decimals, path: madePath.map(String) }).toEqual(input)
    const { root, nullifier, assetHash, feeBack, payeeHi, payeeLo, time, refund } = made
    const publicOnes = [root, nullifier, assetHash, made.amount, feeBack, payeeHi, payeeLo]
    expect([...publicOnes, time, refund].map(String)).toEqual(publicInputs)
  })
})
