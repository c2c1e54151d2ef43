/**
 * The position of an order's note in the tree: the leaf index, the sibling hashes, and the root that the chain computed
 * from them.
 */
export interface NotePath {
  readonly leafIndex: number
  /** The 39 sibling hashes: three per level, starting at the leaf's level. */
  readonly path: readonly bigint[]
  readonly root: bigint
}

/**
 * Paths for settling a note without the service. The paths are public, because anyone can compute them from the chain.
 */
export interface NotePaths {
  /**
   * Reads the path of an order's note; undefined if the order's leaf isn't known. Reads only the database, never a
   * node.
   */
  readonly read: (orderId: Uint8Array) => Promise<NotePath | undefined>
}
