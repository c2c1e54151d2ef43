/** A proof that the prover itself has verified. */
export interface Proof {
  /** 256 bytes in the program's format: A negated, B, C, all big-endian. */
  readonly bytes: Uint8Array
  /** The ten public inputs in the circuit's order. */
  readonly publicInputs: readonly bigint[]
  /**
   * Time that the prover took, in milliseconds, without the time in the queue. Proofs that were made at the same time
   * share that time.
   */
  readonly ms: number
}
