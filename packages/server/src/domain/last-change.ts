/**
 * The time of an order's last change, in milliseconds: the latest of three times. A later change may have an earlier
 * time for two reasons: a final change is stored as the start of its hour, and the clocks of the processes differ.
 */
export const lastChangeMs = (
  createdAtMs: number,
  updatedAtMs: number,
  finalHourMs: number | undefined,
): number => Math.max(createdAtMs, updatedAtMs, finalHourMs ?? 0)
