import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * A record on disk: kind (1) ‖ payload length (4) ‖ CRC-32 of those five bytes (4) ‖ payload ‖ digest (16). The first
 * nine bytes are the head. The checksum of the head distinguishes a damaged length from an incomplete record. The
 * digest also covers the previous record's digest, so that readers detect a removed or replaced record.
 */
export const HEAD_BYTES = 9
export const DIGEST_BYTES = 16

/** The digest before the first record. It also identifies the version of the file format. */
export const FIRST_DIGEST = digest(Buffer.alloc(0), Buffer.from('sotto-localnet-log/1'))

export interface FrameHead {
  readonly kind: number
  readonly payloadBytes: number
}

/** Makes a record from a payload. The new record follows the record whose digest is `previousDigest`. */
export function encodeFrame(
  kind: number,
  payload: Uint8Array,
  previousDigest: Uint8Array,
): { frame: Buffer; digest: Buffer } {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt8(kind, 0)
  head.writeUInt32LE(payload.length, 1)
  head.writeUInt32LE(crc32(head.subarray(0, 5)), 5)
  const own = frameDigest(previousDigest, head, payload)
  return { frame: Buffer.concat([head, payload, own]), digest: own }
}

/** Reads a head; null if its checksum is wrong. */
export function decodeHead(head: Buffer): FrameHead | null {
  if (head.readUInt32LE(5) !== crc32(head.subarray(0, 5))) return null
  return { kind: head.readUInt8(0), payloadBytes: head.readUInt32LE(1) }
}

/** The digest that must follow a payload. */
export function frameDigest(previous: Uint8Array, head: Uint8Array, payload: Uint8Array): Buffer {
  return digest(previous, head, payload)
}

function digest(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest().subarray(0, DIGEST_BYTES)
}
