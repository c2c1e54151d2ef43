/**
 * Bytes in hex: a key for maps and sets, and a parameter of `decode($n, 'hex')`, which every driver writes in the
 * same way, also in arrays. An order's id is never logged, not even in hex.
 */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
