import { startProver, type ProverEvent } from '@sotto/prover-client'
import { fileURLToPath } from 'node:url'
import type { Prover } from '../../ports/prover.ts'

// The prover's licence requires that it runs as a separate process. Its code must never be imported.
const EXECUTABLE = fileURLToPath(new URL('../../../../prover/sotto-prover.mjs', import.meta.url))

/**
 * Number of requests that may wait for each process. A request above this number is refused, and the settlement is
 * tried again later.
 */
const QUEUE_PER_PROCESS = 24

export interface ProcessProverOptions {
  readonly processes: number
  /** The path of an executable that replaces the default executable next to this package. */
  readonly executable?: string
  readonly onEvent?: (event: ProverEvent) => void
  /** Called with the time that the prover spent on a proof, in milliseconds. Waiting time isn't included. */
  readonly onProof?: (ms: number) => void
}

export interface ProcessProver extends Prover {
  /** True if the proving key is a development key, which must never be used with real funds. */
  readonly isDevelopment: boolean
  /** SHA-256 of the verifying key, in hexadecimal. */
  readonly vkeyHash: string
  /** Number of proofs that each process makes concurrently. */
  readonly atOnce: number
  readonly stop: () => Promise<void>
}

/**
 * Starts prover processes. @throws ProverError if a process doesn't start. The error contains the process's own reason.
 */
export async function startProcessProver(options: ProcessProverOptions): Promise<ProcessProver> {
  const client = await startProver({
    executable: options.executable ?? EXECUTABLE,
    processes: options.processes,
    queueMax: options.processes * QUEUE_PER_PROCESS,
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
  })
  return {
    prove: async (witness) => {
      const { bytes, ms } = await client.prove(witness)
      options.onProof?.(ms)
      return bytes
    },
    isDevelopment: client.development,
    vkeyHash: client.vkeyHash,
    atOnce: client.atOnce,
    stop: () => client.stop(),
  }
}
