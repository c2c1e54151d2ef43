import { fileURLToPath } from 'node:url'

// This module contains only the paths of the prover's files, because the prover runs as a separate process. Only the
// circuit's tools may import this module, because they have the same licence, the GPL.

/** Path of the executable, which is run with Node. */
export const PROVER_EXECUTABLE = fileURLToPath(new URL('./sotto-prover.mjs', import.meta.url))

/** Folder of the committed key, its manifest and the witness generator. */
export const PROVER_ARTEFACTS = fileURLToPath(new URL('./artefacts', import.meta.url))

/**
 * Path of the module whose `startWitness` runs a witness generator. Tests import it to run the same code as the prover.
 */
export const WITNESS_MODULE = fileURLToPath(new URL('./src/circuit-witness.mjs', import.meta.url))

/** Path of the program that computes witnesses. `circuit/generate-witness-program.ts` writes it. */
export const PROVER_WITNESS_PROGRAM = fileURLToPath(
  new URL('./witness/settle.program', import.meta.url),
)

/** Path of the WebAssembly module that runs this program and makes proofs. */
export const PROVER_MODULE = fileURLToPath(new URL('./wasm/groth16.wasm', import.meta.url))
