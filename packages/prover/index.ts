import { fileURLToPath } from 'node:url'

// The prover runs as a process and is not imported. This module only gives the paths of the prover's files. Only the
// circuit's tools, which have the same licence, may import this module.

/** Path of the executable, for Node to run. */
export const PROVER_EXECUTABLE = fileURLToPath(new URL('./sotto-prover.mjs', import.meta.url))

/** Folder of the committed key, its manifest and the witness generator. */
export const PROVER_ARTEFACTS = fileURLToPath(new URL('./artefacts', import.meta.url))

/** The module whose `startWitness` runs a witness generator, so that tests run the same code as the prover. */
export const WITNESS_MODULE = fileURLToPath(new URL('./src/circuit-witness.mjs', import.meta.url))

/** The program that computes witnesses, which `circuit/generate-witness-program.ts` writes. */
export const PROVER_WITNESS_PROGRAM = fileURLToPath(
  new URL('./witness/settle.program', import.meta.url),
)

/** The WebAssembly module that runs that program and makes proofs. */
export const PROVER_MODULE = fileURLToPath(new URL('./wasm/groth16.wasm', import.meta.url))
