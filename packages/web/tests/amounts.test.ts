import { showDecimal } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseAmount, showAmount } from '../pages/look/amounts.ts'

const units = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })
const decimals = fc.integer({ min: 0, max: 18 })

it('reads every amount that it shows as exactly the same amount', () => {
  fc.assert(
    fc.property(units, decimals, (base, places) => {
      expect(parseAmount(showDecimal(base, places), places)).toEqual({ kind: 'amount', base })
      expect(parseAmount(showAmount(base, places), places)).toEqual({ kind: 'amount', base })
    }),
  )
})

it.each([
  ['1,500', 'This can mean 1500 or 1.500.'],
  ['1.2345678901', 'at most 9 digits after the point'],
  ['1e9', 'as a number'],
  ['-1', 'as a number'],
  ['0', 'more than zero'],
  ['0.000', 'more than zero'],
  ['18446744073.8', 'more than any wallet'],
])('refuses %s with advice on what to write instead', (text, why) => {
  expect(parseAmount(text, 9)).toMatchObject({
    kind: 'wrong',
    why: expect.stringContaining(why) as string,
  })
})

it('separates thousands with a narrow space', () => {
  expect(showAmount('1234567890123', 6)).toBe('1\u202f234\u202f567.890123')
  expect(showAmount(0n, 9)).toBe('0')
})
