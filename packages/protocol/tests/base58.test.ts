import { getBase58Decoder } from '@solana/kit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeBase58, encodeBase58 } from '../src/base58.ts'

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
