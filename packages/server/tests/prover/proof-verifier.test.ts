import { FIELD_MODULUS } from '@sotto/protocol'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { openProofVerifier } from '../../src/adapters/prover/proof-verifier.ts'
import type { ProofVerifier } from '../../src/ports/proof-verifier.ts'

/** Proofs that the program accepts, with their public inputs. */
const vectors = JSON.parse(
  readFileSync(new URL('../../../../vectors/circuit.json', import.meta.url), 'utf8'),
) as {
  readonly cases: readonly {
    readonly name: string
    readonly publicInputs: readonly string[]
    readonly proof?: string
  }[]
}
const cases = vectors.cases.flatMap(({ name, publicInputs, proof }) =>
  proof === undefined
    ? []
    : [
        {
          name,
          inputs: publicInputs.map(BigInt),
          proof: new Uint8Array(Buffer.from(proof, 'base64')),
        },
      ],
)

let verifier: ProofVerifier
beforeAll(async () => {
  verifier = await openProofVerifier()
})

describe('a settlement’s proof', () => {
  it('is accepted only with its own public inputs', () => {
    expect(cases.length).toBeGreaterThan(2)
    for (const { name, inputs, proof } of cases) {
      expect([name, verifier.isProved(inputs, proof)]).toEqual([name, true])
    }
    const { inputs, proof } = cases[0]!
    for (const place of inputs.keys()) {
      const changed = inputs.map((input, at) => (at === place ? input + 1n : input))
      expect([place, verifier.isProved(changed, proof)]).toEqual([place, false])
    }
  })

  it('is refused with an input beyond the field or with another number of inputs', () => {
    const { inputs, proof } = cases[0]!
    const beyond = inputs.map((input, at) => (at === 1 ? input + FIELD_MODULUS : input))
    for (const wrong of [beyond, inputs.slice(1), [...inputs, 0n], []]) {
      expect(verifier.isProved(wrong, proof)).toBe(false)
    }
  })

  it('is refused if one of its numbers differs', () => {
    const { inputs, proof } = cases[0]!
    for (let number = 0; number < 8; number += 1) {
      const changed = proof.slice()
      changed[32 * number + 31] = changed[32 * number + 31]! ^ 1
      expect([number, verifier.isProved(inputs, changed)]).toEqual([number, false])
    }
    for (const size of [0, 255, 256, 257]) {
      expect(verifier.isProved(inputs, new Uint8Array(size))).toBe(false)
    }
    // This proof is valid, but for other public inputs.
    const other = cases[1]!.proof
    expect(verifier.isProved(inputs, other)).toBe(false)
  })
})
