import type { Prove } from '@sotto/recovery'
import { createRequire } from 'node:module'
import type { Output } from '../output/output.ts'

// The prover runs as a separate process and is never imported, because of its licence.
const EXECUTABLE = '@sotto/prover/sotto-prover.mjs'

/** Path of the installed prover. Its proving key and its witness generator are in the same folder. @throws Error. */
export const proverFile = (): string => createRequire(import.meta.url).resolve(EXECUTABLE)

/** Proves one settlement in a separate process, which then exits. */
export const proveOnce: Prove = async (inputs) => {
  const { startProver } = await import('@sotto/prover-client')
  const prover = await startProver({ executable: proverFile(), processes: 1, queueMax: 1 })
  try {
    return (await prover.prove(inputs)).bytes
  } finally {
    await prover.stop()
  }
}

/** Prints that the proof takes a few seconds, and then makes the proof. */
export const proveWith =
  (output: Output): Prove =>
  (inputs) => {
    output.progress.doing('proving; this takes a few seconds')
    return proveOnce(inputs)
  }
