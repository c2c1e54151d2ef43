import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { curves, groth16 } from 'snarkjs'
import type { VerificationKey } from 'snarkjs'
import { ROOT } from '../compile.ts'
import { ARTEFACTS, readManifest } from '../manifest.ts'
import { PUBLIC_SIGNALS, toDecimals } from '../settle-input.ts'
import { CASES, PACKED_OWNER } from '../vector-cases.ts'
import { decodeProof } from './decode-proof.ts'

interface Vectors {
  vkeyHash: string
  notes: { balance: { owner: { packed: string } } }
  cases: {
    name: string
    kind: string
    note: string
    input: Record<string, string | string[]>
    publicInputs: string[]
    proof: string
  }[]
}

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'))
const vectors = (await readJson(join(ROOT, 'vectors/circuit.json'))) as Vectors
const vkey = (await readJson(join(ARTEFACTS, 'vkey.json'))) as VerificationKey

// Ends the worker threads of snarkjs. They would keep the test process running.
afterAll(async () => (await curves.getCurveFromName('bn128')).terminate())

test('the recorded proofs were made with the committed key', async () => {
  expect(vectors.vkeyHash).toBe((await readManifest(ARTEFACTS)).files['vkey.json'])
})

test('the vectors contain every way to settle each kind of note', () => {
  const recorded = new Set(vectors.cases.map(({ kind, note }) => `${kind} ${note}`))
  const ways = ['deliver transfer', 'refund transfer', 'pay balance', 'refund balance']
  expect(recorded).toEqual(new Set(ways))
})

test('the recorded packed owner matches circuit/vector-cases.ts', () => {
  expect(vectors.notes.balance.owner.packed).toBe(PACKED_OWNER)
})

test('the recorded cases, including signatures, match circuit/vector-cases.ts', () => {
  const made = CASES.map(({ name, kind, note, input }) => [name, kind, note, toDecimals(input)])
  expect(vectors.cases.map(({ name, kind, note, input }) => [name, kind, note, input])).toEqual(
    made,
  )
})

describe.each(vectors.cases)('$name', ({ input, publicInputs, proof }) => {
  test('has a proof that verifies', async () => {
    expect(await groth16.verify(vkey, publicInputs, decodeProof(proof))).toBe(true)
  })

  test('has its public inputs in the documented order', () => {
    expect(publicInputs).toEqual(PUBLIC_SIGNALS.map((name) => input[name]))
  })

  test.each(PUBLIC_SIGNALS.map((name, at) => [name, at] as const))(
    'has a proof that fails with another %s',
    async (_, at) => {
      const changed = publicInputs.with(at, String(BigInt(publicInputs[at]!) + 1n))
      expect(await groth16.verify(vkey, changed, decodeProof(proof))).toBe(false)
    },
  )
})
