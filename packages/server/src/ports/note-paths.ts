/** Where an order's note stands in the tree, and the root of the chain that its siblings lead to. */
export interface NotePath {
  readonly leafIndex: number
  /** Siblings from the leaf up. */
  readonly path: readonly bigint[]
  readonly root: bigint
}

/** Paths for whoever wants to settle a note without the service. They are public: the chain has them too. */
export interface NotePaths {
  /** Undefined where no leaf of the order is known. Asks the database alone. */
  readonly read: (orderId: Uint8Array) => Promise<NotePath | undefined>
}
