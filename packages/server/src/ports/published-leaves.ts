/**
 * Leaves of the tree that someone publishes. They need no trust: a root of the chain shows whether they are the
 * tree's.
 */
export interface PublishedLeaves {
  /** The leaves from index `from` to `to`, `to` excluded. @throws Error if the source doesn't have them all. */
  readonly read: (from: number, to: number) => Promise<bigint[]>
  /** Drops what was read, so that it is asked for again. */
  readonly forget: () => void
}
