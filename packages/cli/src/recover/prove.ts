import type { Prove } from '@sotto/recovery'
import { createRequire } from 'node:module'
import type { Output } from '../output/output.ts'

// The prover is run as a process and never imported, because of its licence.
const EXECUTABLE = '@sotto/prover/sotto-prover.mjs'

/** Path of the installed prover. Its key and witness generator are in the same folder. @throws Error. */
export const proverFile = (): string => createRequire(import.meta.url).resolve(EXECUTABLE)

/** Proves one settlement in a separate process, which then ends. */
export const proveOnce: Prove = async (inputs) => {
  const { startProver } = await import('@sotto/prover-client')
  const prover = await startProver({ executable: proverFile(), processes: 1, queueMax: 1 })
  try {
    return (await prover.prove(inputs)).bytes
  } finally {
    await prover.stop()
  }
}

/** First prints that the proof takes some seconds, then proves. */
export const proveWith =
  (output: Output): Prove =>
  (inputs) => {
    output.progress.doing('proving; this takes some seconds')
    return proveOnce(inputs)
  }
