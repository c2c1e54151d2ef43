/**
 * Compares bytes in constant time, so that the duration doesn't reveal the position of the first difference between
 * MACs.
 */
export function areSameBytes(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0)
  return difference === 0
}
