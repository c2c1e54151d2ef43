/**
 * Maximum age of a process's snapshot of chain and database, in milliseconds. If the snapshot is older, the chain or
 * the database no longer responds.
 */
const SNAPSHOT_MAX_MS = 30_000

/** True if a snapshot is too old. If the clock was set back, the age is unknown, so the snapshot counts as too old. */
export const isSnapshotOld = (takenAtMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - takenAtMs) >= SNAPSHOT_MAX_MS
