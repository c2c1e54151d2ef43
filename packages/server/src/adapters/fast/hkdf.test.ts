import fc from 'fast-check'
import { hkdfSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { hkdf } from './hkdf.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = fc.uint8Array({ maxLength: 80 })

it('gives the same result as the system for any key, salt, info and size', () => {
  fc.assert(
    fc.property(
      bytes,
      bytes,
      fc.string(),
      fc.integer({ min: 1, max: 300 }),
      (key, salt, info, n) => {
        expect(hex(hkdf(key, salt, info, n))).toBe(
          hex(new Uint8Array(hkdfSync('sha256', key, salt, info, n))),
        )
      },
    ),
  )
})

it('gives the result of the third test case of RFC 5869', () => {
  const key = Buffer.alloc(22, 0x0b)
  expect(hex(hkdf(key, new Uint8Array(0), '', 42))).toBe(
    '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8',
  )
})
