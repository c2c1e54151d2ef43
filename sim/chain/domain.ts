/** The pool's domain: an element of the field. */
export const DOMAIN = new Uint8Array(32).fill(7)
