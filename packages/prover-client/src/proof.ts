/** A proof that the prover itself has verified. */
export interface Proof {
  /** The proof as 256 bytes in the program's format: A negated, B, C, all big-endian. */
  readonly bytes: Uint8Array
  /** The ten public inputs in the circuit's order. */
  readonly publicInputs: readonly bigint[]
  /**
   * The prover's time for the proof in milliseconds, without the time in the queue. If several proofs were made at
   * the same time, the time of each begins when the previous one was ready, so that no time is counted twice.
   */
  readonly ms: number
}
