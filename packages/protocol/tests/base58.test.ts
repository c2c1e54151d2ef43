import { getBase58Decoder } from '@solana/kit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  decodeAddress,
  decodeBase58,
  encodeAddress,
  encodeBase58,
  isAddress,
} from '../src/base58.ts'

it('reads and writes bytes of any length in base58 as the client library does', () => {
  const zeros = fc.integer({ min: 0, max: 4 })
  fc.assert(
    fc.property(zeros, fc.uint8Array({ maxLength: 400 }), (leading, rest) => {
      const bytes = new Uint8Array([...Array<number>(leading).fill(0), ...rest])
      const text = getBase58Decoder().decode(bytes)
      expect(encodeBase58(bytes)).toBe(text)
      expect(decodeBase58(text)).toEqual(bytes)
    }),
    { numRuns: 100 },
  )
  for (const text of ['0', 'abcI', 'é', ' 1']) expect(decodeBase58(text)).toBeUndefined()
})

it('returns the right bytes even if a caller has changed the bytes from an earlier call', () => {
  const addresses = Array.from({ length: 1_500 }, (_, index) => {
    const bytes = new Uint8Array(32)
    new DataView(bytes.buffer).setUint32(index % 29, index + 1)
    return bytes
  })
  for (let round = 0; round < 2; round += 1) {
    for (const bytes of addresses) {
      const text = encodeAddress(bytes)
      for (let call = 0; call < 2; call += 1) {
        expect(isAddress(text)).toBe(true)
        const read = decodeAddress(text)
        expect(read).toEqual(bytes)
        read?.fill(7)
      }
    }
  }
  expect(decodeAddress(`${encodeAddress(new Uint8Array(32))}1`)).toBeUndefined()
})
