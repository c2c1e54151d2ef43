/**
 * The time of an order's last change, in ms. A final change is stored as the start of its hour, and each process
 * uses its own clock; neither may date a change before the previous one.
 */
export const lastChangeMs = (
  createdAtMs: number,
  updatedAtMs: number,
  finalHourMs: number | undefined,
): number => Math.max(createdAtMs, updatedAtMs, finalHourMs ?? 0)
