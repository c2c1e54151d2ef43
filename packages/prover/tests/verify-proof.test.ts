import { readFile } from 'node:fs/promises'
import { curves, groth16, type Groth16Proof, type VerificationKey } from 'snarkjs'
import { describe, expect, test } from 'vitest'
import { decodeProof } from '../../../circuit/tests/decode-proof.ts'
import { PROVER_ARTEFACTS } from '../index.ts'
import { verifierOf } from '../src/verify-proof.mjs'

/** The orders of BN254's two fields: coordinates belong to the base field, and public inputs to the scalar field. */
const BASE = 21888242871839275222246405745257275088696311157297823662689037894645226208583n
const SCALAR = 21888242871839275222246405745257275088548364400416034343698204186575808495617n

const vectorsUrl = new URL('../../../vectors/circuit.json', import.meta.url)
const { cases } = JSON.parse(await readFile(vectorsUrl, 'utf8')) as {
  cases: { name: string; publicInputs: string[]; proof: string }[]
}
const vkey = JSON.parse(await readFile(`${PROVER_ARTEFACTS}/vkey.json`, 'utf8')) as VerificationKey
const curve = await curves.getCurveFromName('bn128', { singleThread: true })
// If snarkjs finds a curve here, it uses that curve. Otherwise it starts threads.
Object.assign(globalThis, { curve_bn128: curve })
const isProofOf = verifierOf(curve, vkey)

const { publicInputs, proof: base64 } = cases[0]!
const proof = decodeProof(base64)
const plus = (text: string, more: bigint) => String(BigInt(text) + more)
const [ax, ay, one] = proof.pi_a
const [bx, by, bz] = proof.pi_b
const [cx, cy] = proof.pi_c

const otherInputs = publicInputs.map((text, index) => ({
  title: `public input ${index} is another number`,
  inputs: publicInputs.with(index, plus(text, 1n)),
  proof,
}))
const otherPoints: { title: string; inputs: string[]; proof: Groth16Proof }[] = [
  ['A is negated', { ...proof, pi_a: [ax, String(BASE - BigInt(ay)), one] }],
  ['A is off the curve', { ...proof, pi_a: [ax, plus(ay, 1n), one] }],
  ['B is off the curve', { ...proof, pi_b: [bx, [by[1], by[0]], bz] }],
  ['C is off the curve', { ...proof, pi_c: [plus(cx, 1n), cy, one] }],
  ['A and C are exchanged', { ...proof, pi_a: proof.pi_c, pi_c: proof.pi_a }],
  ["C is another proof's", { ...proof, pi_c: decodeProof(cases[1]!.proof).pi_c }],
].map(([title, changed]) => ({
  title: title as string,
  inputs: publicInputs,
  proof: changed as Groth16Proof,
}))

describe('the check of a proof before it is returned', () => {
  test.each(cases)('accepts the proof of the vector "$name"', ({ publicInputs, proof }) => {
    expect(isProofOf(publicInputs, decodeProof(proof))).toBe(true)
  })

  test.each([...otherInputs, ...otherPoints])(
    'refuses a proof, as snarkjs does, if $title',
    async ({ inputs, proof }) => {
      expect(await groth16.verify(vkey, inputs, proof)).toBe(false)
      expect(isProofOf(inputs, proof)).toBe(false)
    },
  )

  test('refuses the proof of another case', () => {
    const accepted = cases.flatMap(({ publicInputs }, index) =>
      cases.flatMap(({ proof }, other) =>
        isProofOf(publicInputs, decodeProof(proof)) ? [[index, other]] : [],
      ),
    )
    expect(accepted).toEqual(cases.map((_, index) => [index, index]))
  })

  test('refuses numbers that the on-chain program would read as different numbers', () => {
    const longer = { ...proof, pi_a: [plus(ax, BASE), ay, one] as const }
    expect(isProofOf(publicInputs, longer)).toBe(false)
    expect(isProofOf(publicInputs.with(4, plus(publicInputs[4]!, SCALAR)), proof)).toBe(false)
    expect(isProofOf(publicInputs.with(8, '-0'), proof)).toBe(false)
  })

  test('refuses points that are zero, and a different count of public inputs', () => {
    const zero = ['0', '0', '1']
    const zeros = [['0', '0'], ['0', '0'], bz]
    expect(isProofOf(publicInputs, { pi_a: zero, pi_b: proof.pi_b, pi_c: zero })).toBe(false)
    expect(isProofOf(publicInputs, { pi_a: zero, pi_b: zeros, pi_c: zero })).toBe(false)
    expect(isProofOf(publicInputs.slice(0, 9), proof)).toBe(false)
    expect(isProofOf([...publicInputs, '0'], proof)).toBe(false)
  })
})
