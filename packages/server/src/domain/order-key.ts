/** An order's id as a key for maps and sets; never logged. */
export function orderKey(orderId: Uint8Array): string {
  return Buffer.from(orderId).toString('hex')
}
