/** The position of an order's note in the tree, its siblings, and the chain's root that follows from them. */
export interface NotePath {
  readonly leafIndex: number
  /** The 39 siblings: three per level, from the leaf up. */
  readonly path: readonly bigint[]
  readonly root: bigint
}

/** Paths for settling a note without the service. They are public: the chain has them too. */
export interface NotePaths {
  /** Undefined if no leaf of the order is known. Reads only the database. */
  readonly read: (orderId: Uint8Array) => Promise<NotePath | undefined>
}
