// Writes `vectors/circuit.json`: `npx tsx circuit/make-vectors.ts`. Run it after each new proving key. The notes and
// the owner's signatures are constants. The proofs differ in each run, because proving is randomised. Another
// implementation can check that it computes the same inputs and that it accepts the proofs.
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PROVER_EXECUTABLE } from '@sotto/prover'
import { ROOT } from './compile.ts'
import { ARTEFACTS, readManifest } from './manifest.ts'
import {
  hashClaim,
  hashInner,
  hashMessage,
  hashNote,
  toDecimals,
  type Note,
} from './settle-input.ts'
import {
  ADDRESSES,
  CASES,
  DOMAIN,
  NOTES,
  OWNER_KEY,
  PACKED_OWNER,
  SECRET,
  type Case,
} from './vector-cases.ts'

interface Answer {
  ok?: boolean
  proof?: string
  publicInputs?: string[]
}

/** The prover's answers to all cases, in the order of the cases. */
async function proveAll(): Promise<Answer[]> {
  const prover = spawn(process.execPath, [PROVER_EXECUTABLE], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const requests = CASES.map(({ input }, at) => ({ id: `${at}`, input: toDecimals(input) }))
  prover.stdin.end(requests.map((request) => `${JSON.stringify(request)}\n`).join(''))
  const answers: Answer[] = []
  for await (const line of createInterface({ input: prover.stdout })) {
    answers.push(JSON.parse(line) as Answer)
  }
  const proofs = answers.slice(1)
  if (proofs.length !== CASES.length || !proofs.every((answer) => answer.ok === true)) {
    throw new Error('The prover did not prove every case.')
  }
  return proofs
}

/** The members that both kinds of note have, and each intermediate hash up to the leaf. */
const describeNote = (note: Note) => ({
  value: String(note.value),
  deadline: String(note.deadline),
  expiry: String(note.expiry),
  nk: String(note.nk),
  assetHash: String(note.assetHash),
  claim: String(hashClaim(note.claim)),
  inner: String(hashInner(note)),
  leaf: String(hashNote(note)),
})

/** The signed message and the owner's signature. */
const describePayment = ({ input, payee }: Case & { payee: string }) => ({
  payee,
  message: String(hashMessage(input)),
  signature: { S: String(input.S), R8: { x: String(input.R8x), y: String(input.R8y) } },
})

const proofs = await proveAll()
const { files } = await readManifest(ARTEFACTS)
const { mint, sender, recipient } = ADDRESSES
const [x, y] = NOTES.balance.claim.owner
const vectors = {
  about:
    'Complete inputs of the settle circuit (decimal), with proofs in the on-chain format (base64). ' +
    'Addresses, the domain, the private key and the packed owner are hexadecimal. The `nk` of a change is a ' +
    'hash. For a payment, it is the hash of the secret of the balance and the nullifier. For a delivery or a refund, ' +
    'it is the hash of the `nk` of the settled note and the nullifier. Written by circuit/make-vectors.ts.',
  vkeyHash: files['vkey.json'],
  domain: DOMAIN,
  notes: {
    transfer: {
      ...{ mint, sender, recipient },
      amountOut: String(NOTES.transfer.claim.amountOut),
      ...describeNote(NOTES.transfer),
    },
    balance: {
      ...{
        mint,
        sender,
        ownerKey: OWNER_KEY,
        owner: { x: String(x), y: String(y), packed: PACKED_OWNER },
      },
      secret: String(SECRET),
      ...describeNote(NOTES.balance),
    },
  },
  cases: CASES.map((each, at) => ({
    ...{ name: each.name, kind: each.kind, note: each.note },
    ...(each.payee === undefined
      ? {}
      : { payment: describePayment({ ...each, payee: each.payee }) }),
    input: toDecimals(each.input),
    publicInputs: proofs[at]?.publicInputs,
    proof: proofs[at]?.proof,
  })),
}
await writeFile(join(ROOT, 'vectors/circuit.json'), `${JSON.stringify(vectors, null, 2)}\n`)
