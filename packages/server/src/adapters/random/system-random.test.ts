import { expect, it } from 'vitest'
import { systemRandom } from './system-random.ts'

it('gives no bytes twice, however many are asked for, and keeps none that it gave', () => {
  const drawn = Array.from({ length: 2_000 }, (_, index) => systemRandom.bytes(12 + (index % 8)))
  const texts = drawn.map((bytes) => Buffer.from(bytes).toString('hex'))
  expect(texts.map((text) => text.length / 2)).toEqual(drawn.map((_, index) => 12 + (index % 8)))
  expect(new Set(texts.map((text) => text.slice(0, 24))).size).toBe(drawn.length)
  // Zeros where the pool was used up would be a nonce that everybody can guess.
  expect(texts.some((text) => text.includes('000000000000'))).toBe(false)
  const [first] = drawn
  first?.fill(0xff)
  expect(Buffer.from(drawn[1] ?? []).toString('hex')).toBe(texts[1])
})
