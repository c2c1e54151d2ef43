import { fileURLToPath } from 'node:url'
import { startProver, type ProverClient } from '@sotto/prover-client'
import type { ProcessProver } from '../../packages/server/src/adapters/prover/process-prover.ts'

const executable = fileURLToPath(new URL('../../packages/prover/sotto-prover.mjs', import.meta.url))
/** More requests than the tests of one file make at the same time. */
const QUEUE_MAX = 64

/** A prover that a test can't stop. */
export type SharedProver = Omit<ProverClient, 'stop'>

let starting: Promise<SharedProver> | undefined

/**
 * The prover of all test files that run in this process. A prover needs most of a second of processor time to start,
 * and it keeps no state between proofs. So only tests about provers start their own. The process of the prover ends
 * together with this process.
 */
export function sharedProver(): Promise<SharedProver> {
  starting ??= startProver({ executable, processes: 1, queueMax: QUEUE_MAX }).catch((error) => {
    // Forgets the failed start, so that later test files of this process try again.
    starting = undefined
    throw error
  })
  return starting
}

export type SharedProcessProver = Omit<ProcessProver, 'stop'>

/** The shared prover, with the interface that settlement uses. */
export async function sharedProcessProver(): Promise<SharedProcessProver> {
  const client = await sharedProver()
  return {
    prove: async (witness) => (await client.prove(witness)).bytes,
    isDevelopment: client.development,
    vkeyHash: client.vkeyHash,
    atOnce: client.atOnce,
  }
}
