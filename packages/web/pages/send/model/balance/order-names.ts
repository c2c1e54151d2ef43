import { getBase16Decoder, getBase16Encoder, getBase64Decoder, getBase64Encoder } from '@solana/kit'

/** The tracking id of an order: `tr_` and its 16 bytes in base64url, without the padding. */
export function trackingIdOf(orderId: string): string {
  const base64 = getBase64Decoder().decode(getBase16Encoder().encode(orderId)).replace('==', '')
  return `tr_${base64.replaceAll('+', '-').replaceAll('/', '_')}`
}

/** The id of the order with this tracking id: 32 hex digits. */
export function orderIdOf(trackingId: string): string {
  const base64 = trackingId.slice('tr_'.length).replaceAll('-', '+').replaceAll('_', '/')
  return getBase16Decoder().decode(getBase64Encoder().encode(`${base64}==`))
}
