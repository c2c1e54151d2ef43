import type { SettleWitness } from '@sotto/prover-client'

/**
 * Makes proofs for settlements. A proof takes a few hundred milliseconds. While the prover's queue is full, the prover
 * refuses further requests.
 */
export interface Prover {
  /** Makes the 256 bytes of a proof in the program's format. */
  readonly prove: (witness: SettleWitness) => Promise<Uint8Array>
}
