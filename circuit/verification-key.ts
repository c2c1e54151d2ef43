import { isDeepStrictEqual } from 'node:util'
import { zKey } from 'snarkjs'
import type { G1Point, G2Point, VerificationKey } from 'snarkjs'

/** Number of public inputs that the program passes to the verifier; `settle.circom` gives their order. */
export const PUBLIC_INPUTS = 10

// Generators of BN254's two groups (EIP-197), in snarkjs' form.
const G1_GENERATOR: G1Point = ['1', '2', '1']
const G2_GENERATOR: G2Point = [
  [
    '10857046999023057135944570762232829481370756359578518086990519993285655852781',
    '11559732032986387107991004021392285783925812861821192530917403151452391805634',
  ],
  [
    '8495653923123431417604973247489272438418190587263600148770280649306958101930',
    '4082367875863433681332203403145435568316851327593401208105741076214120093531',
  ],
  ['1', '0'],
]

/**
 * Refuses a verification key if proofs for it can be forged, or if a proof stays valid when an input is changed.
 *
 * In a key without a phase-2 contribution, delta and gamma both equal the generator. Anyone can prove false statements
 * for this key, and attackers have emptied real pools in this way. If alpha or beta equals the generator, phase 1 had
 * no contribution. If the IC point of an input is zero, proofs don't depend on this input.
 *
 * @throws Error that names the first fault found.
 */
export function assertSoundVerificationKey(vkey: VerificationKey): void {
  const fault = findFault(vkey)
  if (fault !== undefined) throw new Error(`The verification key is refused: ${fault}`)
}

function findFault(vkey: VerificationKey): string | undefined {
  const same = isDeepStrictEqual
  if (vkey.protocol !== 'groth16' || vkey.curve !== 'bn128')
    return 'it is not for Groth16 over BN254.'
  if (vkey.nPublic !== PUBLIC_INPUTS || vkey.IC.length !== PUBLIC_INPUTS + 1) {
    return `it has ${vkey.nPublic} public inputs instead of ${PUBLIC_INPUTS}.`
  }
  if (same(vkey.vk_gamma_2, vkey.vk_delta_2)) {
    return 'gamma equals delta, so phase 2 had no contribution and anyone can forge proofs.'
  }
  if (same(vkey.vk_delta_2, G2_GENERATOR)) {
    return 'delta is the generator, so phase 2 had no contribution and anyone can forge proofs.'
  }
  if (!same(vkey.vk_gamma_2, G2_GENERATOR)) return 'gamma is not the generator that snarkjs sets.'
  if (same(vkey.vk_alpha_1, G1_GENERATOR) || same(vkey.vk_beta_2, G2_GENERATOR)) {
    return 'alpha or beta is the generator, so phase 1 had no contribution.'
  }
  const isZero = ([, , z]: G1Point) => z === '0'
  if (vkey.IC.slice(1).some(isZero))
    return "the point of a public input is zero, so proofs don't depend on that input."
  const distinct = new Set(vkey.IC.map((point) => point.join()))
  if (distinct.size !== vkey.IC.length) return 'two public inputs share a point.'
  return undefined
}

/**
 * Checks each contribution to phase 2 of a proving key. Also checks that the key belongs to these constraints and
 * powers of tau. This takes up to a minute.
 *
 * @throws Error if any check fails.
 */
export async function assertZkeyBelongsToCircuit(
  zkey: string,
  r1cs: string,
  ptau: string,
): Promise<void> {
  const faults: string[] = []
  const quiet = () => undefined
  const logger = {
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (line: string) => faults.push(line),
  }
  const holds = await zKey.verifyFromR1cs(r1cs, ptau, zkey, logger)
  if (!holds) {
    throw new Error(
      `The proving key does not verify against circuit and powers of tau: ${faults.join(' ')}`,
    )
  }
}

/**
 * Checks that a verification key equals the verification key inside the proving key.
 *
 * @throws Error if they differ. If the keys differed, the program could refuse valid proofs or accept false ones.
 */
export async function assertVkeyBelongsToZkey(vkey: VerificationKey, zkey: string): Promise<void> {
  const exported = await zKey.exportVerificationKey(zkey)
  if (!isDeepStrictEqual(exported, vkey)) {
    throw new Error('The verification key does not belong to the proving key.')
  }
}
