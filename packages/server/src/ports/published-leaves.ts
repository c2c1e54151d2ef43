/**
 * Leaves of the tree from a publisher. The publisher needn't be trusted, because the service checks the leaves against
 * a root of the chain.
 */
export interface PublishedLeaves {
  /**
   * Reads the leaves from index `from` up to, but not including, index `to`. @throws Error if the publisher lacks one
   * of these leaves.
   */
  readonly read: (from: number, to: number) => Promise<bigint[]>
  /** Drops the leaves that were read, so that the next call requests them again. */
  readonly forget: () => void
}
