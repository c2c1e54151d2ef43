import { curves, groth16 } from 'snarkjs'
import { startWitness } from './circuit-witness.mjs'
import { startNativeGroth16 } from './groth16-native.mjs'
import { startGroth16 } from './groth16-wasm.mjs'
import { ProvingError } from './proving-error.mjs'
import { wtnsFile } from './wtns-file.mjs'

/**
 * The engines, the fastest first. All of them prove the same statement. The first one that this machine can run is
 * used.
 */
export const ENGINES = ['native', 'wasm', 'snarkjs']

/** Public signals come right after the constant 1 in a witness. */
const PUBLIC_SIGNALS = 10
const NUMBER_BYTES = 32

/**
 * Returns the engine in use and the function that proves one settlement at a time.
 *
 * @param {import('./artefacts.mjs').Artefacts} artefacts
 * @param {'native' | 'wasm' | 'snarkjs'} [wanted] the default is the first one that this machine can run
 */
export async function startProving({ zkey, wasm, vkey }, wanted) {
  // snarkjs uses the curve that it finds here. Each process uses one thread: several processes use several cores, and
  // no other thread can keep a process alive.
  globalThis.curve_bn128 = await curves.getCurveFromName('bn128', { singleThread: true })
  const calculate = await startWitness(wasm)
  const { engine, makeProof } = await startEngine(zkey, wanted)

  /** @param {Record<string, string | string[]>} input a checked input, in decimals */
  async function prove(input) {
    const witness = calculateWitness(calculate, input)
    const publicSignals = readPublicSignals(witness)
    const proof = await makeProof(witness)
    // A proof that fails on chain costs a fee and looks like an attack, so every proof is verified before it is
    // returned.
    if (!(await groth16.verify(vkey, publicSignals, proof))) {
      throw new ProvingError('PROOF_INVALID', 'The proof does not verify, so it was not returned.')
    }
    return { proof, publicSignals }
  }
  return { engine, prove }
}

const STARTS = {
  native: startNativeGroth16,
  wasm: startGroth16,
  snarkjs: (zkey) => async (witness) => {
    const files = [zkey, wtnsFile(witness)].map((data) => ({ type: 'mem', data }))
    return (await groth16.prove(...files)).proof
  },
}

async function startEngine(zkey, wanted) {
  let refusal
  for (const engine of ENGINES) {
    if (wanted !== undefined && engine !== wanted) continue
    try {
      return { engine, makeProof: await STARTS[engine](zkey) }
    } catch (error) {
      refusal ??= error
    }
  }
  throw refusal
}

function calculateWitness(calculate, input) {
  try {
    return calculate(input)
  } catch (cause) {
    throw new ProvingError('STATEMENT_FALSE', 'The input breaks a rule of the circuit.', cause)
  }
}

function readPublicSignals(witness) {
  return Array.from({ length: PUBLIC_SIGNALS }, (_, index) => {
    const start = (index + 1) * NUMBER_BYTES
    const bytes = Buffer.from(witness.subarray(start, start + NUMBER_BYTES)).reverse()
    return BigInt(`0x${bytes.toString('hex')}`).toString()
  })
}
