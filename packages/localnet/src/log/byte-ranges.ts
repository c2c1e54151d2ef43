export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Two differences with a smaller gap between them become one range, because each range has a header of eight bytes. */
const MERGE_GAP = 16

/** The ranges in which two byte strings of equal length differ, as half-open intervals in ascending order. */
export function findByteRanges(before: Uint8Array, after: Uint8Array): ByteRange[] {
  const ranges: { start: number; end: number }[] = []
  for (let index = 0; index < after.length; index += 1) {
    if (before[index] === after[index]) continue
    const last = ranges.at(-1)
    if (last !== undefined && index - last.end < MERGE_GAP) last.end = index + 1
    else ranges.push({ start: index, end: index + 1 })
  }
  return ranges
}
