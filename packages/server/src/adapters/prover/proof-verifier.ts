import { bn254 } from '@noble/curves/bn254'
import { bigintFromBytes, FIELD_MODULUS } from '@sotto/protocol'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { ProofVerifier } from '../../ports/proof-verifier.ts'

const { G1, G2, fields, pairingBatch } = bn254
type G1Point = InstanceType<typeof G1.Point>
type G2Point = InstanceType<typeof G2.Point>

/**
 * The path of the verifying key in the prover's package. The key is data, so reading it imports no code of the prover.
 */
const KEY_FILE = fileURLToPath(new URL('../../../../prover/artefacts/vkey.json', import.meta.url))

const Digits = z.string().regex(/^(0|[1-9][0-9]*)$/)
const G1Text = z.tuple([Digits, Digits, z.literal('1')])
const Pair = z.tuple([Digits, Digits])
const G2Text = z.tuple([Pair, Pair, z.tuple([z.literal('1'), z.literal('0')])])
const KeyText = z.object({
  ...{ vk_alpha_1: G1Text, vk_beta_2: G2Text, vk_gamma_2: G2Text, vk_delta_2: G2Text },
  IC: z.array(G1Text).min(1),
})

const point1 = (x: bigint, y: bigint): G1Point => G1.Point.fromAffine({ x, y })
const point2 = (x: readonly [bigint, bigint], y: readonly [bigint, bigint]): G2Point =>
  G2.Point.fromAffine({ x: fields.Fp2.fromBigTuple([...x]), y: fields.Fp2.fromBigTuple([...y]) })

const read1 = ([x, y]: z.infer<typeof G1Text>) => point1(BigInt(x), BigInt(y))
const read2 = ([x, y]: z.infer<typeof G2Text>) =>
  point2([BigInt(x[0]), BigInt(x[1])], [BigInt(y[0]), BigInt(y[1])])

/** Creates a verifier with the verifying key of the prover's artefacts. @throws Error if the file isn't a key. */
export async function openProofVerifier(file = KEY_FILE): Promise<ProofVerifier> {
  const text = KeyText.parse(JSON.parse(await readFile(file, 'utf8')))
  const [alpha, beta] = [read1(text.vk_alpha_1), read2(text.vk_beta_2)]
  const [gamma, delta] = [read2(text.vk_gamma_2), read2(text.vk_delta_2)]
  const [constant, ...factors] = text.IC.map(read1)
  if (constant === undefined) throw new Error('the verifying key has no points for inputs')
  return {
    isProved: (inputs, proof) => {
      if (inputs.length !== factors.length) return false
      if (!inputs.every((input) => input >= 0n && input < FIELD_MODULUS)) return false
      const points = decodeProof(proof)
      if (points === undefined) return false
      const statement = factors.reduce(
        (sum, point, index) => sum.add(point.multiplyUnsafe(inputs[index] ?? 0n)),
        constant,
      )
      const { a, b, c } = points
      const product = pairingBatch([
        { g1: a, g2: b },
        { g1: alpha, g2: beta },
        { g1: statement, g2: gamma },
        { g1: c, g2: delta },
      ])
      return fields.Fp12.eql(product, fields.Fp12.ONE)
    },
  }
}

const PROOF_NUMBERS = 8

/**
 * Decodes the points -A, B and C of a proof, with coordinates in the program's format. In this format, the imaginary
 * part of each coordinate of B comes first.
 */
function decodeProof(proof: Uint8Array) {
  const numbers = Array.from({ length: PROOF_NUMBERS }, (_, at) =>
    bigintFromBytes(proof.subarray(32 * at, 32 * at + 32)),
  )
  if (proof.length !== 32 * PROOF_NUMBERS) return undefined
  const [ax, ay, bx1, bx0, by1, by0, cx, cy] = numbers as unknown as readonly [
    ...[bigint, bigint, bigint, bigint],
    ...[bigint, bigint, bigint, bigint],
  ]
  try {
    const [a, b, c] = [point1(ax, ay), point2([bx0, bx1], [by0, by1]), point1(cx, cy)]
    // Throws if a point isn't on the curve, or isn't in the subgroup of the correct order.
    for (const point of [a, b, c]) point.assertValidity()
    return a.is0() || b.is0() || c.is0() ? undefined : { a, b, c }
  } catch {
    return undefined
  }
}
