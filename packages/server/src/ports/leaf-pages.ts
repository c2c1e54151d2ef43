/** The leaves of the tree, which are public on the chain. */
export interface LeafPages {
  /** Reads at most `count` leaves, starting at index `from`, in order and without gaps; 32 bytes each, big-endian. */
  readonly read: (from: number, count: number) => Promise<Uint8Array[]>
  /** Finds the first index at which the leaf is stored; undefined if it isn't stored. */
  readonly find: (leaf: bigint) => Promise<number | undefined>
}
