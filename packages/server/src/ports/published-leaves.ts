/**
 * Published leaves of the tree. The publisher needn't be trusted: a root of the chain shows if the leaves are
 * correct.
 */
export interface PublishedLeaves {
  /** The leaves from index `from` to `to`, `to` excluded. @throws Error if the source doesn't have them all. */
  readonly read: (from: number, to: number) => Promise<bigint[]>
  /** Drops the leaves that were read, so that the next call requests them again. */
  readonly forget: () => void
}
