/** The stored key under which `close` makes its payment. */
export const CLOSING = 'close'
/** Prefix of the stored key of a single payment. So the key never equals the stored key of another kind of payment. */
const ONE = 'one:'
const LINE = 'line:'

/** The stored key of a single payment, from the key that the caller chose. */
export const keyOfOne = (key: string): string => ONE + key

/** The stored key of the payment for a line of a list. */
export const keyOfLine = (id: string, line: number): string => `${LINE}${line}:${id}`

/**
 * The payment as its caller knows it. Two payments can have the same `key`, if one of them is a line of the list with
 * this id, but they always differ in another member.
 */
export type PaymentName =
  | { readonly kind: 'one'; readonly key: string }
  /** A line of the list whose id is `key`; the first line is 0. */
  | { readonly kind: 'line'; readonly key: string; readonly line: number }
  /** The payment that closes the balance. Its key is `close`. */
  | { readonly kind: 'close'; readonly key: string }

/** The name of the payment with a stored key. */
export function nameOf(stored: string): PaymentName {
  if (stored.startsWith(ONE)) return { kind: 'one', key: stored.slice(ONE.length) }
  if (stored === CLOSING) return { kind: 'close', key: CLOSING }
  const colon = stored.indexOf(':', LINE.length)
  const line = Number.parseInt(stored.slice(LINE.length, colon), 10)
  return { kind: 'line', key: stored.slice(colon + 1), line }
}
