/**
 * Bytes in hex: a key for maps and sets, and a parameter of `decode($n, 'hex')`, which every driver writes
 * alike, in arrays too. An order's id is never logged, in hex either.
 */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
