/** Random numbers. In the simulator they come from a seed, elsewhere from the operating system. */
export interface Random {
  readonly bytes: (size: number) => Uint8Array
  /** Returns a whole number in [0, bound). All numbers are equally likely. */
  readonly below: (bound: number) => number
}
