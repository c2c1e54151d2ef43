import { startProver, type ProverEvent } from '@sotto/prover-client'
import { fileURLToPath } from 'node:url'
import type { Prover } from '../../ports/prover.ts'

// Found as a file and run as a process; never imported, because of its licence.
const EXECUTABLE = fileURLToPath(new URL('../../../../prover/sotto-prover.mjs', import.meta.url))

/** Requests that may wait for each process; a settlement that is refused comes round again. */
const QUEUE_PER_PROCESS = 8

export interface ProcessProverOptions {
  readonly processes: number
  /** Another executable than the one beside this package. */
  readonly executable?: string
  readonly onEvent?: (event: ProverEvent) => void
}

export interface ProcessProver extends Prover {
  /** True where the proving key is one for development, which must never guard real funds. */
  readonly isDevelopment: boolean
  /** SHA-256 of the verifying key, in hexadecimal. */
  readonly vkeyHash: string
  readonly stop: () => Promise<void>
}

/** Starts prover processes. @throws ProverError where they don't start, with their own reason. */
export async function startProcessProver(options: ProcessProverOptions): Promise<ProcessProver> {
  const client = await startProver({
    executable: options.executable ?? EXECUTABLE,
    processes: options.processes,
    queueMax: options.processes * QUEUE_PER_PROCESS,
    ...(options.onEvent === undefined ? {} : { onEvent: options.onEvent }),
  })
  return {
    prove: async (witness) => (await client.prove(witness)).bytes,
    isDevelopment: client.development,
    vkeyHash: client.vkeyHash,
    stop: () => client.stop(),
  }
}
