/** Verifies settlement proofs in the same way as the program. */
export interface ProofVerifier {
  /**
   * True if `proof` proves these public inputs, which are in the circuit's order. A proof has 256 bytes in the
   * program's format. The result is false for any other bytes. The check takes tens of milliseconds.
   */
  readonly isProved: (inputs: readonly bigint[], proof: Uint8Array) => boolean
}
