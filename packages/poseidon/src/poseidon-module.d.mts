export interface PoseidonModule {
  /** Where numbers are written and hashes read, 32 little-endian bytes each. */
  readonly buffer: Uint8Array
  /**
   * Hashes `count` groups of `arity` numbers at the buffer's start into one number each, in place.
   * @throws RangeError for what isn't an element of the field, or doesn't fit.
   */
  readonly hash: (arity: number, count: number) => void
  /** Hashes each four numbers of `nodes` into one of `hashes`, in order. @throws RangeError likewise. */
  readonly hashQuads: (nodes: Uint8Array, hashes: Uint8Array) => void
}

export function startPoseidon(): PoseidonModule
