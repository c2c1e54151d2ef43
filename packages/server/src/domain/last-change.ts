/**
 * The time of an order's last change, in milliseconds: the latest of three times. The latest is taken because a later
 * change may have an earlier time: a final change is stored as the start of its hour, and the processes' clocks differ.
 */
export const lastChangeMs = (
  createdAtMs: number,
  updatedAtMs: number,
  finalHourMs: number | undefined,
): number => Math.max(createdAtMs, updatedAtMs, finalHourMs ?? 0)
