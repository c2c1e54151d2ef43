import { getBase58Decoder } from '@solana/kit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeBase58 } from '../src/base58.ts'

it('reads back bytes of any length from the base58 that the client library writes', () => {
  const zeros = fc.integer({ min: 0, max: 4 })
  fc.assert(
    fc.property(zeros, fc.uint8Array({ maxLength: 400 }), (leading, rest) => {
      const bytes = new Uint8Array([...Array<number>(leading).fill(0), ...rest])
      expect(decodeBase58(getBase58Decoder().decode(bytes))).toEqual(bytes)
    }),
    { numRuns: 100 },
  )
  for (const text of ['0', 'abcI', 'é', ' 1']) expect(decodeBase58(text)).toBeUndefined()
})
