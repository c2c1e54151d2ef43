/**
 * When an order last changed, in milliseconds. An end is stored as the start of its hour, and each process
 * dates its changes by its own clock; neither may put a change before the one that preceded it.
 */
export const lastChangeMs = (
  createdAtMs: number,
  updatedAtMs: number,
  finalHourMs: number | undefined,
): number => Math.max(createdAtMs, updatedAtMs, finalHourMs ?? 0)
