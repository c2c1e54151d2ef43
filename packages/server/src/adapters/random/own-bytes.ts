/**
 * Zeroed bytes for a secret, in memory that stays where it is. `new Uint8Array(32)` stands in the heap: the garbage
 * collector copies it, and so does the system at the first use, and neither zeroes what it leaves.
 */
export const ownBytes = (size: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new ArrayBuffer(size))
