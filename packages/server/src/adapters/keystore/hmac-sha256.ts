import { createHmac, hash } from 'node:crypto'

const BLOCK_BYTES = 64
const HASH_BYTES = 32
const [INNER_PAD, OUTER_PAD] = [0x36, 0x5c]
/** A character takes at most so many bytes in UTF-8. */
const CHARACTER_BYTES_MAX = 3

/** Where messages are put together; longer ones go the system's way. */
const scratch = Buffer.alloc(8_192)
const outerBlock = Buffer.alloc(BLOCK_BYTES + HASH_BYTES)
// A buffer's own takes values of all kinds, and many times as long.
const wipe = Uint8Array.prototype.fill

type Part = Uint8Array | string

/** Computes HMAC-SHA256 under one key, of the parts one behind the other; text counts as UTF-8. */
export type Hmac = (...parts: readonly Part[]) => Uint8Array

const mostBytes = (part: Part): number =>
  typeof part === 'string' ? part.length * CHARACTER_BYTES_MAX : part.length

function pad(key: Uint8Array, value: number): Uint8Array {
  const padded = new Uint8Array(BLOCK_BYTES).fill(value)
  // Entries would be an object for each byte of each key.
  for (let at = 0; at < key.length; at += 1) padded[at] = (key[at] ?? 0) ^ value
  return padded
}

function bytesOf(binary: string): Uint8Array {
  const bytes = new Uint8Array(HASH_BYTES)
  for (let at = 0; at < HASH_BYTES; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}

function systemHmac(key: Uint8Array, parts: readonly Part[]): Uint8Array {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return new Uint8Array(mac.digest())
}

/**
 * HMAC-SHA256 (RFC 2104) of the system's plain hash. The system's own HMAC makes and throws away an
 * object of its library for each message, which takes longer than hashing a quote and was a sixth of
 * what a quote costs.
 */
export function hmacSha256(key: Uint8Array): Hmac {
  // Such a key is hashed first; none of ours is.
  if (key.length > BLOCK_BYTES) return (...parts) => systemHmac(key, parts)
  const [inner, outer] = [pad(key, INNER_PAD), pad(key, OUTER_PAD)]
  return (...parts) => {
    let most = BLOCK_BYTES
    for (const part of parts) most += mostBytes(part)
    if (most > scratch.length) return systemHmac(key, parts)
    scratch.set(inner)
    let end = BLOCK_BYTES
    for (const part of parts) {
      if (typeof part === 'string') end += scratch.write(part, end)
      else {
        scratch.set(part, end)
        end += part.length
      }
    }
    outerBlock.set(outer)
    outerBlock.write(hash('sha256', scratch.subarray(0, end), 'binary'), BLOCK_BYTES, 'latin1')
    const mac = hash('sha256', outerBlock, 'binary')
    // Neither key nor message outlives its use here.
    wipe.call(scratch, 0, 0, end)
    wipe.call(outerBlock, 0)
    return bytesOf(mac)
  }
}
