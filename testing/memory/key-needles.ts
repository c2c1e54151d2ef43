import { createHmac, hkdfSync } from 'node:crypto'
import type { Needle } from './process-memory.ts'

const LABELS = ['terms', 'response', 'plan', 'outcome', 'attempt', 'event']
const HALF = 16

/**
 * The secrets of an epoch that must not stay in memory. They are the epoch's key, as bytes and as text, and every
 * encryption key or pseudonym that is derived from this key. The search looks for each half of a secret separately.
 */
export function keyNeedles(key: Buffer, orderIds: readonly Buffer[]): Needle[] {
  const derive = (salt: Buffer, label: string) =>
    Buffer.from(hkdfSync('sha256', key, salt, `sotto/${label}/v1`, 32))
  const none = Buffer.alloc(0)
  const kept = ['fingerprint', 'pseudonym', 'quote'].map(
    (label) => [label, derive(none, label)] as const,
  )
  const secrets = [
    ['key', key] as const,
    ['extracted', extract(none, key)] as const,
    ...kept,
    ...kept.flatMap(([label, own]) => [
      [`${label} inner block`, xor(own, 0x36)] as const,
      [`${label} outer block`, xor(own, 0x5c)] as const,
    ]),
    ...orderIds.flatMap((id, index) => [
      [`extracted for order ${index}`, extract(id, key)] as const,
      ...['recipient', ...LABELS.map((label) => `seal/${label}`)].map(
        (label) => [`${label} of order ${index}`, derive(id, label)] as const,
      ),
    ]),
  ]
  return [
    ...secrets.flatMap(([name, bytes]) => [
      { name: `${name}, first half`, bytes: bytes.subarray(0, HALF) },
      { name: `${name}, second half`, bytes: bytes.subarray(HALF) },
    ]),
    { name: 'key as hex', bytes: Buffer.from(key.toString('hex')) },
    { name: 'key as base64', bytes: Buffer.from(key.toString('base64').slice(0, 40)) },
  ]
}

const extract = (salt: Buffer, key: Buffer) => createHmac('sha256', salt).update(key).digest()
const xor = (bytes: Buffer, value: number) => Buffer.from(bytes.map((byte) => byte ^ value))
