/** Checks settlement proofs as the program does. */
export interface ProofVerifier {
  /**
   * True if `proof`, 256 bytes in the program's format, proves these public inputs, which are in the circuit's order.
   * False for anything that is no proof. It takes tens of milliseconds.
   */
  readonly isProved: (inputs: readonly bigint[], proof: Uint8Array) => boolean
}
