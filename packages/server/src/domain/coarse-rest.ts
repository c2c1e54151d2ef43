/** The rest of an inventory is stated in eighths of the inventory. */
const PARTS = 8n

/**
 * The rest of a whole after others have taken a part, rounded down: to eighths of the whole, or, below an eighth, to a
 * sixteenth, a thirty-second and so on. So the result shows only coarsely what others have taken. It is at least about
 * half of the rest, so a small rest can still be used.
 */
export function coarseRest(whole: bigint, taken: bigint): bigint {
  const rest = whole - taken
  if (rest <= 0n) return 0n
  let parts = PARTS
  while (rest * parts < whole) parts *= 2n
  return (whole * ((rest * parts) / whole)) / parts
}
