import type * as Crypto from 'node:crypto'
import { expect, it, vi } from 'vitest'

/** All memory into which the operating system wrote random bytes. */
const filled = vi.hoisted((): Uint8Array[] => [])
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof Crypto>()
  const noted = <Bytes extends Uint8Array>(bytes: Bytes): Bytes => {
    filled.push(bytes)
    return bytes
  }
  return {
    ...crypto,
    randomBytes: (size: number) => noted(crypto.randomBytes(size)),
    randomFillSync: (bytes: Uint8Array) => noted(crypto.randomFillSync(bytes)),
  }
})

// Another test in this process may have loaded the module with the real node:crypto.
vi.resetModules()
const { systemRandom } = await import('./system-random.ts')

it('returns different bytes for each request of any size', () => {
  const drawn = Array.from({ length: 2_000 }, (_, index) => systemRandom.bytes(12 + (index % 8)))
  const texts = drawn.map((bytes) => Buffer.from(bytes).toString('hex'))
  expect(texts.map((text) => text.length / 2)).toEqual(drawn.map((_, index) => 12 + (index % 8)))
  expect(new Set(texts.map((text) => text.slice(0, 24))).size).toBe(drawn.length)
  // If an exhausted pool returned zeros, anyone could guess a nonce.
  expect(texts.some((text) => text.includes('000000000000'))).toBe(false)
  const [first] = drawn
  first?.fill(0xff)
  expect(Buffer.from(drawn[1] ?? []).toString('hex')).toBe(texts[1])
})

it('keeps no copy of a nonce that it has returned', () => {
  const nonce = Buffer.from(systemRandom.bytes(16))
  expect(filled.length).toBeGreaterThan(0)
  for (const bytes of filled) expect(Buffer.from(bytes.buffer).includes(nonce)).toBe(false)
})
