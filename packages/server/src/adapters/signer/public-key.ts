import { createPublicKey, verify, type KeyObject } from 'node:crypto'

// In SubjectPublicKeyInfo, these bytes precede the 32 bytes of an ed25519 key, see RFC 8410.
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const KEY_BYTES = 32

/** Returns the 32 bytes of an ed25519 key in SubjectPublicKeyInfo; undefined for any other key. */
export function rawPublicKey(spki: Uint8Array): Uint8Array | undefined {
  const isOurs =
    spki.length === SPKI_PREFIX.length + KEY_BYTES &&
    SPKI_PREFIX.equals(spki.subarray(0, SPKI_PREFIX.length))
  return isOurs ? new Uint8Array(spki.subarray(SPKI_PREFIX.length)) : undefined
}

/** Creates the key object of a 32-byte public key; undefined if the bytes aren't a valid key. */
export function publicKeyOf(raw: Uint8Array): KeyObject | undefined {
  if (raw.length !== KEY_BYTES) return undefined
  return createPublicKey({
    key: Buffer.concat([SPKI_PREFIX, raw]),
    format: 'der',
    type: 'spki',
  })
}

/** True if the signature is valid for exactly this message and this key. */
export function isSignatureOf(key: KeyObject, message: Uint8Array, signature: Uint8Array): boolean {
  return signature.length === 64 && verify(null, message, key, signature)
}
