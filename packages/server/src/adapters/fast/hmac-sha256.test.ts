import fc from 'fast-check'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { hmacSha256 } from './hmac-sha256.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

it('gives the same result as the system for any key and parts', () => {
  const part = fc.oneof(fc.uint8Array({ maxLength: 3_000 }), fc.string({ unit: 'binary' }))
  const lone = fc.constant('\ud800')
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 80 }),
      fc.array(fc.oneof({ weight: 9, arbitrary: part }, lone), { maxLength: 6 }),
      (key, parts) => {
        const system = createHmac('sha256', key)
        for (const one of parts) system.update(one)
        const expected = system.digest('hex')
        expect(hex(hmacSha256(key).mac(...parts))).toBe(expected)
        expect(hex(hmacSha256(key).key(...parts))).toBe(expected)
      },
    ),
  )
})

it('gives the result of the second test case of RFC 4231', () => {
  const mac = hmacSha256(Buffer.from('Jefe')).mac('what do ya ', Buffer.from('want for nothing?'))
  expect(hex(mac)).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
})

it('gives the same result after another message', () => {
  const { mac } = hmacSha256(new Uint8Array(32))
  const first = hex(mac('a long message of the first caller'))
  expect(hex(mac('short'))).toBe(
    createHmac('sha256', new Uint8Array(32)).update('short').digest('hex'),
  )
  expect(hex(mac('a long message of the first caller'))).toBe(first)
})
