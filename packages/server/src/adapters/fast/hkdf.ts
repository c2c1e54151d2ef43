import { ownBytes } from '../random/own-bytes.ts'
import { hmacSha256 } from './hmac-sha256.ts'

const HASH_BYTES = 32

/**
 * HKDF-SHA256 (RFC 5869): extract with the salt, expand with the info. Most keys take two HMACs. The system's own
 * function starts a background job for each key. Such a job takes several times as long as two HMACs, and would take
 * most of the time needed to open a record. This function zeroes every intermediate value.
 *
 * @returns bytes in separate memory; the caller must zero them.
 * @throws RangeError if `size` exceeds the RFC's limit.
 */
export function hkdf(key: Uint8Array, salt: Uint8Array, info: string, size: number): Uint8Array {
  if (size > 255 * HASH_BYTES) throw new RangeError('HKDF gives at most 8,160 bytes')
  const extract = hmacSha256(salt)
  const pseudorandom = extract.key(key)
  const expand = hmacSha256(pseudorandom)
  const derived = ownBytes(size)
  let last: Uint8Array = new Uint8Array(0)
  for (let at = 0; at < size; at += HASH_BYTES) {
    const next = expand.key(last, info, Uint8Array.of(at / HASH_BYTES + 1))
    last.fill(0)
    last = next
    derived.set(last.subarray(0, size - at), at)
  }
  last.fill(0)
  pseudorandom.fill(0)
  expand.wipe()
  return derived
}
