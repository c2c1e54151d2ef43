/**
 * Leaves of the tree from a publisher. The publisher needn't be trusted, because a root of the chain shows whether the
 * leaves are correct.
 */
export interface PublishedLeaves {
  /** The leaves from index `from` to `to`, `to` excluded. @throws Error if the source lacks one of them. */
  readonly read: (from: number, to: number) => Promise<bigint[]>
  /** Drops the leaves read so far, so that the next call requests them again. */
  readonly forget: () => void
}
