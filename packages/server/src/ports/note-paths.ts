/**
 * The position of an order's note in the tree: its index, its siblings, and the root that the chain computed from
 * them.
 */
export interface NotePath {
  readonly leafIndex: number
  /** The 39 siblings: three per level, from the leaf up. */
  readonly path: readonly bigint[]
  readonly root: bigint
}

/** Paths for settling a note without the service. The paths are public: anyone can compute them from the chain. */
export interface NotePaths {
  /** Undefined if no leaf of the order is known. Reads only the database. */
  readonly read: (orderId: Uint8Array) => Promise<NotePath | undefined>
}
