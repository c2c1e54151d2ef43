const LENGTH_BYTES = 4

/** Writes the length of the bytes (u32, little-endian) before them, and appends zeros up to a multiple of `size`. */
export function pad(clear: Uint8Array, size: number): Uint8Array {
  const padded = new Uint8Array(Math.ceil((LENGTH_BYTES + clear.length) / size) * size)
  new DataView(padded.buffer).setUint32(0, clear.length, true)
  padded.set(clear, LENGTH_BYTES)
  return padded
}

/** Removes the padding of `pad`. @throws Error if the stored length is greater than the number of bytes. */
export function unpad(padded: Uint8Array): Uint8Array {
  const length = new DataView(padded.buffer, padded.byteOffset).getUint32(0, true)
  if (length > padded.length - LENGTH_BYTES)
    throw new Error('padded bytes are shorter than their stated length')
  return padded.slice(LENGTH_BYTES, LENGTH_BYTES + length)
}
