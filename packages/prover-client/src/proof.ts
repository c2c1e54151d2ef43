/** A proof that the prover itself has verified. */
export interface Proof {
  /** The proof as 256 bytes in the program's format: A negated, B, C, all big-endian. */
  readonly bytes: Uint8Array
  /** The ten public inputs in the circuit's order. */
  readonly publicInputs: readonly bigint[]
  /**
   * The prover's time for the proof in milliseconds, without the time in the queue. If the prover made several proofs
   * at the same time, a proof's time begins when the previous proof was ready. So no time is counted twice.
   */
  readonly ms: number
}
