import { hmacSha256 } from './hmac-sha256.ts'

const HASH_BYTES = 32

/**
 * HKDF-SHA256 (RFC 5869): extract with the salt, expand with the info. Two HMACs for most keys; the
 * system's own function makes a job of each key, which takes several times as long and is most of what
 * opening a record would cost.
 *
 * @throws RangeError for more bytes than the RFC allows.
 */
export function hkdf(key: Uint8Array, salt: Uint8Array, info: string, size: number): Uint8Array {
  if (size > 255 * HASH_BYTES) throw new RangeError('HKDF gives no more than 8,160 bytes')
  const expand = hmacSha256(hmacSha256(salt)(key))
  const blocks = new Uint8Array(Math.ceil(size / HASH_BYTES) * HASH_BYTES)
  let last: Uint8Array = new Uint8Array(0)
  for (let at = 0; at < size; at += HASH_BYTES) {
    last = expand(last, info, Uint8Array.of(at / HASH_BYTES + 1))
    blocks.set(last, at)
  }
  return blocks.subarray(0, size)
}
