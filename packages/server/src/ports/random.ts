/** Randomness: seeded in the simulator, from the operating system elsewhere. */
export interface Random {
  readonly bytes: (size: number) => Uint8Array
  /** A whole number in [0, bound); all are equally likely. */
  readonly below: (bound: number) => number
}
