/**
 * The time of an order's last change, in milliseconds: the latest of three times. A final change is stored as the start
 * of its hour, and the processes' clocks differ, so either time may be earlier than the previous change.
 */
export const lastChangeMs = (
  createdAtMs: number,
  updatedAtMs: number,
  finalHourMs: number | undefined,
): number => Math.max(createdAtMs, updatedAtMs, finalHourMs ?? 0)
