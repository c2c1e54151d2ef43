import type { SettleWitness } from '@sotto/prover-client'

/**
 * Proves settlements. One proof takes some hundred milliseconds. The prover refuses further requests when its queue is
 * full.
 */
export interface Prover {
  /** The 256 bytes of a proof in the program's format. */
  readonly prove: (witness: SettleWitness) => Promise<Uint8Array>
}
