import { curves, groth16 } from 'snarkjs'
import { startWitness } from './circuit-witness.mjs'
import { ExecutableEnded, startNativeGroth16 } from './groth16-native.mjs'
import { startGroth16 } from './groth16-wasm.mjs'
import { ProvingError } from './proving-error.mjs'
import { PUBLIC_SIGNALS } from './settle-input.mjs'
import { verifierOf } from './verify-proof.mjs'
import { loadWitnessProgram } from './witness-program.mjs'
import { wtnsFile } from './wtns-file.mjs'

/**
 * The engines, the fastest first. All of them prove the same statement. By default, the prover uses the first engine
 * that this machine can run.
 */
export const ENGINES = ['native', 'wasm', 'snarkjs']

/**
 * Makes proofs in snarkjs' form, at most `atOnce` at a time. The witness and the inputs are lists of numbers, each of
 * 32 little-endian bytes.
 *
 * @typedef {object} Engine
 * @property {number} [atOnce] without it, one proof at a time
 * @property {(witness: Uint8Array) => Promise<object>} proveWitness
 * @property {(inputs: Uint8Array) => Promise<object | undefined>} [proveInputs] computes the witness itself. The result
 *   is undefined if the inputs break a rule. An engine without a witness program lacks this function.
 */

/**
 * Returns the engine in use, the number of settlements that it proves at a time, and the function that proves one
 * settlement.
 *
 * @param {import('./artefacts.mjs').Artefacts} artefacts
 * @param {'native' | 'wasm' | 'snarkjs'} [wanted] the default is the first engine that this machine can run
 * @param {(fault: string) => void} [report] called at most once, if the witness program is missing or faulty. The fault
 *   contains no part of an input.
 */
export async function startProving({ zkey, wasm, r1cs, vkey }, wanted, report = () => undefined) {
  // snarkjs uses the curve in this global variable. Without it, snarkjs would make its own curve, with many threads,
  // and these threads could keep the process alive. This curve has one thread: to use several cores, run several
  // processes.
  const curve = await curves.getCurveFromName('bn128', { singleThread: true })
  globalThis.curve_bn128 = curve
  const isProofOf = verifierOf(curve, vkey)
  const program = await loadWitnessProgram(r1cs, report)
  const { engine, makeProof } = await startEngine(zkey, program, wanted)
  const calculate = calculatorOf(wasm)
  let isProgramInUse = makeProof.proveInputs !== undefined

  /** Makes circom's generator compute all later witnesses, so that the faulty program can't delay later proofs. */
  function giveUpProgram(fault) {
    // Two proofs that run at the same time may find the same fault.
    if (isProgramInUse) report(fault)
    isProgramInUse = false
  }

  /**
   * Proves with the witness program. If the executable ended, makes a second try with a new process. Returns undefined
   * if the program isn't in use or refuses the input, or if no valid proof was made.
   */
  async function proveInputs(input, publicSignals, isSecond = false) {
    if (!isProgramInUse) return undefined
    try {
      const proof = await makeProof.proveInputs(program.numbersOf(input))
      if (proof === undefined || isProofOf(publicSignals, proof)) return proof
      giveUpProgram('a proof from witness/settle.program does not verify')
    } catch (error) {
      // If the system killed the executable, the program isn't at fault.
      if (error instanceof ExecutableEnded && !isSecond)
        return proveInputs(input, publicSignals, true)
      // The error may quote the input.
      giveUpProgram('no proof could be made with witness/settle.program')
    }
    return undefined
  }

  /** @param {Record<string, string | string[]>} input a checked input, in decimals */
  async function prove(input) {
    const publicSignals = PUBLIC_SIGNALS.map((name) => input[name])
    const quick = await proveInputs(input, publicSignals)
    if (quick !== undefined) return { proof: quick, publicSignals }
    // A statement counts as false only if circom's generator refuses it, so a faulty program prevents no settlement.
    const witness = await calculate(input)
    if (isProgramInUse) giveUpProgram('witness/settle.program refuses a true statement')
    const proof = await makeProof.proveWitness(witness)
    // Every proof is verified before it is returned, because a proof that fails on chain costs a fee and looks like an
    // attack.
    if (!isProofOf(publicSignals, proof)) {
      throw new ProvingError('PROOF_INVALID', 'The proof does not verify, so it was not returned.')
    }
    return { proof, publicSignals }
  }
  return { engine, atOnce: makeProof.atOnce ?? 1, prove }
}

const STARTS = {
  native: startNativeGroth16,
  wasm: startGroth16,
  snarkjs: (zkey) => ({
    proveWitness: async (witness) => {
      const files = [zkey, wtnsFile(witness)].map((data) => ({ type: 'mem', data }))
      return (await groth16.prove(...files)).proof
    },
  }),
}

async function startEngine(zkey, program, wanted) {
  let refusal
  for (const engine of ENGINES) {
    if (wanted !== undefined && engine !== wanted) continue
    try {
      return { engine, makeProof: await STARTS[engine](zkey, program?.code) }
    } catch (error) {
      refusal ??= error
    }
  }
  throw refusal
}

/**
 * Returns the function that computes a witness with circom's generator. The generator starts with the first call,
 * because most engines rarely need it.
 */
function calculatorOf(wasm) {
  let starting
  return async (input) => {
    starting ??= startWitness(wasm)
    const calculate = await starting
    try {
      return calculate(input)
    } catch (cause) {
      throw new ProvingError('STATEMENT_FALSE', 'The input breaks a rule of the circuit.', cause)
    }
  }
}
