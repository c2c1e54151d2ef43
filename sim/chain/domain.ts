/** The pool's domain, an element of the field that the pool's hashes use. */
export const DOMAIN = new Uint8Array(32).fill(7)
