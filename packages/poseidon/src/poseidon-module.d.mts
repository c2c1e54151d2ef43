export interface PoseidonModule {
  /** The buffer for numbers and hashes, 32 little-endian bytes each. */
  readonly buffer: Uint8Array
  /**
   * Hashes `count` groups of `arity` numbers at the buffer's start into one number each, in place.
   * @throws RangeError for a number outside the field, or for too many numbers.
   */
  readonly hash: (arity: number, count: number) => void
  /**
   * Hashes each group of four numbers in `nodes` into one number in `hashes`, in order. @throws RangeError for a number
   * outside the field, or for wrong sizes.
   */
  readonly hashQuads: (nodes: Uint8Array, hashes: Uint8Array) => void
}

export function startPoseidon(): PoseidonModule
