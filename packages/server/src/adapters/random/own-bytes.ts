/**
 * Zeroed bytes for a secret, in memory that doesn't move. `new Uint8Array(32)` is on the heap: the garbage collector
 * copies it, the system copies it at the first use, and neither zeroes the original.
 */
export const ownBytes = (size: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new ArrayBuffer(size))
