import { curves, groth16, wtns } from 'snarkjs'

/** A failure that the answer reports by its code; its message never holds a value of the input. */
export class ProvingError extends Error {
  /** @param {string} code @param {string} message @param {unknown} [cause] */
  constructor(code, message, cause) {
    super(message, { cause })
    this.code = code
  }
}

/**
 * Returns the function that proves one settlement at a time.
 *
 * @param {import('./artefacts.mjs').Artefacts} artefacts
 */
export async function startProving({ zkey, wasm, vkey }) {
  // snarkjs takes the curve that it finds here. One thread for each process: more processes use more
  // cores, and nothing is left running that would keep a process alive.
  globalThis.curve_bn128 = await curves.getCurveFromName('bn128', { singleThread: true })

  /** @param {Record<string, string | string[]>} input a checked input, in decimals */
  return async (input) => {
    const witness = { type: 'mem' }
    try {
      await wtns.calculate(input, { type: 'mem', data: wasm }, witness)
    } catch (cause) {
      throw new ProvingError('STATEMENT_FALSE', 'The input breaks a rule of the circuit.', cause)
    }
    const proven = await groth16.prove({ type: 'mem', data: zkey }, witness)
    // A proof that fails on chain costs a fee and looks like an attack, so none leaves unverified.
    if (!(await groth16.verify(vkey, proven.publicSignals, proven.proof))) {
      throw new ProvingError('PROOF_INVALID', 'The proof does not verify; nothing was answered.')
    }
    return proven
  }
}
