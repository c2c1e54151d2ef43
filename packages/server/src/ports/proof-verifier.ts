/** Checks settlement proofs as the program does. */
export interface ProofVerifier {
  /**
   * True if `proof` proves these public inputs, which are in the circuit's order. A proof has 256 bytes in the
   * program's format; any other bytes give false. The check takes tens of milliseconds.
   */
  readonly isProved: (inputs: readonly bigint[], proof: Uint8Array) => boolean
}
