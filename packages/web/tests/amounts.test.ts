import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseAmount, showAmount, typedAmount } from '../pages/look/amounts.ts'

const units = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n })
const decimals = fc.integer({ min: 0, max: 18 })

it('what is shown of an amount, typed in again, is the same amount to the last unit', () => {
  fc.assert(
    fc.property(units, decimals, (base, places) => {
      expect(parseAmount(typedAmount(base, places), places)).toEqual({ kind: 'amount', base })
      const spoken = showAmount(base, places).replaceAll('\u202f', '')
      expect(parseAmount(spoken.replace('.', ','), places)).toEqual({ kind: 'amount', base })
    }),
  )
})

it.each([
  ['1.2345678901', 'digits after the point'],
  ['1e9', 'as a number'],
  ['-1', 'as a number'],
  ['.5', 'as a number'],
  ['1,000.5', 'as a number'],
  ['0', 'more than zero'],
  ['0.000', 'more than zero'],
])('%s is no amount, and is not guessed at', (text, why) => {
  expect(parseAmount(text, 9)).toMatchObject({
    kind: 'wrong',
    why: expect.stringContaining(why) as string,
  })
})

it('thousands stand apart', () => {
  expect(showAmount('1234567890123', 6)).toBe('1\u202f234\u202f567.890123')
  expect(showAmount(0n, 9)).toBe('0')
})
