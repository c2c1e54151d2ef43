const PREFIX = 'tr_'

/** The tracking id of an order: `tr_` + base64url of the order's 16 bytes. */
export function encodeTrackingId(orderId: Uint8Array): string {
  return PREFIX + Buffer.from(orderId).toString('base64url')
}

/** The order's 16 bytes. Undefined if `encodeTrackingId` never writes this text. */
export function decodeTrackingId(text: string): Uint8Array | undefined {
  if (!/^tr_[A-Za-z0-9_-]{22}$/.test(text)) return undefined
  const bytes = new Uint8Array(Buffer.from(text.slice(PREFIX.length), 'base64url'))
  return encodeTrackingId(bytes) === text ? bytes : undefined
}
