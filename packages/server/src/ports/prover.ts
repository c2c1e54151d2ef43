import type { SettleWitness } from '@sotto/prover-client'

/** Proves settlements. Slow (about a second); refuses when its queue is full. */
export interface Prover {
  /** The 256 bytes of a proof in the program's format. */
  readonly prove: (witness: SettleWitness) => Promise<Uint8Array>
}
