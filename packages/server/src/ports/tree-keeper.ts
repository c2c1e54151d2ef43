/** The nodes of a note tree. */
export interface TreeNodes {
  /** The number of leaves. */
  readonly size: number
  /**
   * The nodes of a level, from index `from` up to, but not including, index `to`. Level 0 contains the leaves. Each
   * node has 32 little-endian bytes.
   */
  readonly nodesOf: (level: number, from: number, to: number) => Uint8Array
}

/** Keeps the note tree for the next start of a worker. */
export interface TreeKeeper {
  /** Stores the new part of the tree. */
  readonly save: (tree: TreeNodes) => Promise<void>
}
