/** The tree's leaves, which are public on the chain. */
export interface LeafPages {
  /** At most `count` leaves from an index on, in their order and without gaps; 32 bytes each, big-endian. */
  readonly read: (from: number, count: number) => Promise<Uint8Array[]>
  /** The first index at which a leaf is stored; undefined if there is none. */
  readonly find: (leaf: bigint) => Promise<number | undefined>
}
