// Writes `vectors/circuit.json`: `npx tsx circuit/make-vectors.ts`. Run it after each new proving key.
//
// The notes are fixed; the proofs are recorded, because proving is randomised. Whoever reads the file
// checks that its own hashes give the same inputs and that the recorded proofs verify.
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PROVER_EXECUTABLE } from '@sotto/prover'
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { ROOT } from './compile.ts'
import { ARTEFACTS, readManifest } from './manifest.ts'
import {
  REFUND_WINDOW_SECONDS,
  TREE_DEPTH,
  hashNote,
  makeSettleInput,
  type Halves,
  type Note,
  type Place,
  toDecimals,
} from './settle-input.ts'

const EXPIRY = 1_800_000_600n

const addressOf = (first: number) =>
  Buffer.from(Array.from({ length: 32 }, (_, at) => (first + at * 7) & 0xff)).toString('hex')

const halvesOf = (hex: string): Halves => ({
  hi: BigInt(`0x${hex.slice(0, 32)}`),
  lo: BigInt(`0x${hex.slice(32)}`),
})

/** Siblings of the first leaf in an otherwise empty tree. */
function emptyPath(): bigint[] {
  const path = [0n]
  while (path.length < TREE_DEPTH) path.push(poseidon2([path.at(-1) ?? 0n, path.at(-1) ?? 0n]))
  return path
}

const first: Place = { leafIndex: 0n, path: emptyPath() }
const middle: Place = {
  leafIndex: 0b10_1101_0010_1011_0110_1100_1101n,
  path: Array.from({ length: TREE_DEPTH }, (_, level) => poseidon2([7n, BigInt(level)])),
}

const cases = [
  { name: 'delivery of the first leaf', kind: 'deliver', place: first, time: EXPIRY - 600n },
  { name: 'delivery at the expiry', kind: 'deliver', place: middle, time: EXPIRY },
  { name: 'refund of the first leaf', kind: 'refund', place: first, time: EXPIRY + 600n },
  {
    name: 'refund at the end of the window',
    kind: 'refund',
    place: middle,
    time: EXPIRY + REFUND_WINDOW_SECONDS,
  },
] as const

const addresses = { mint: addressOf(0x06), recipient: addressOf(0x41), sender: addressOf(0x83) }
const mint = halvesOf(addresses.mint)
const note: Note = {
  assetHash: poseidon2([mint.hi, mint.lo]),
  amount: 1_250_000_000n,
  fee: 3_755_000n,
  expiry: EXPIRY,
  nk: 0x1f2e3d4c5b6a79880102030405060708090a0b0c0d0e0f101112131415161718n,
  recipient: halvesOf(addresses.recipient),
  sender: halvesOf(addresses.sender),
}

const inputs = cases.map(({ kind, place, time }) =>
  toDecimals(makeSettleInput(note, place, kind, time)),
)
const prover = spawn(process.execPath, [PROVER_EXECUTABLE], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
prover.stdin.end(inputs.map((input, at) => `${JSON.stringify({ id: `${at}`, input })}\n`).join(''))
const answers: { ok?: boolean; proof?: string; publicInputs?: string[] }[] = []
for await (const line of createInterface({ input: prover.stdout })) {
  answers.push(JSON.parse(line) as (typeof answers)[number])
}
const proofs = answers.slice(1)
if (proofs.length !== cases.length || !proofs.every((answer) => answer.ok === true)) {
  throw new Error('The prover did not prove every case.')
}

const { files } = await readManifest(ARTEFACTS)
const vectors = {
  about:
    'Complete inputs of the settle circuit (decimal), with proofs in the on-chain format (base64). ' +
    'Addresses are hexadecimal. Made by circuit/make-vectors.ts.',
  vkeyHash: files['vkey.json'],
  note: {
    ...addresses,
    amountOut: note.amount.toString(),
    feeBack: note.fee.toString(),
    expiry: note.expiry.toString(),
    nk: note.nk.toString(),
    leaf: hashNote(note).toString(),
  },
  cases: cases.map(({ name, kind }, at) => ({
    ...{ name, kind, input: inputs[at] },
    publicInputs: proofs[at]?.publicInputs,
    proof: proofs[at]?.proof,
  })),
}
await writeFile(join(ROOT, 'vectors/circuit.json'), `${JSON.stringify(vectors, null, 2)}\n`)
