/**
 * Bytes in hex, for keys of maps and sets, and for parameters of `decode($n, 'hex')`. Every database driver passes such
 * texts in the same way, also in arrays. An order's id must never be logged, not even in hex.
 */
export function hexOf(bytes: Uint8Array): string {
  // This view of the bytes avoids a copy.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}
