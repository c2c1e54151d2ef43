/**
 * Returns zeroed bytes for a secret, in memory that doesn't move. `new Uint8Array(32)` would be on the heap. There, the
 * garbage collector or the first use may copy the bytes. Then zeroing the bytes would leave a copy in memory.
 */
export const ownBytes = (size: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new ArrayBuffer(size))
