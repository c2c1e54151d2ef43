import { fileURLToPath } from 'node:url'

// The prover is run, not imported: it has no functions to offer, only where its files are, and that
// only to the circuit's tools, which are under the same licence.

/** Path of the executable, for Node to run. */
export const PROVER_EXECUTABLE = fileURLToPath(new URL('./sotto-prover.mjs', import.meta.url))

/** Folder of the committed key, its manifest and the witness generator. */
export const PROVER_ARTEFACTS = fileURLToPath(new URL('./artefacts', import.meta.url))

/** The module whose `startWitness` runs a witness generator, so that tests run what the prover runs. */
export const WITNESS_MODULE = fileURLToPath(new URL('./src/circuit-witness.mjs', import.meta.url))
