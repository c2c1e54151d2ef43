import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CliError } from '../cli-error.ts'
import { toBaseUnits, toDecimal } from './decimal.ts'

const u64 = fc.bigInt({ min: 0n, max: 18_446_744_073_709_551_615n })

it('reads every amount of every asset back exactly as it was written', () => {
  fc.assert(
    fc.property(u64, fc.integer({ min: 0, max: 18 }), (amount, decimals) => {
      expect(toBaseUnits(toDecimal(amount, decimals), decimals, 'X')).toBe(amount)
    }),
  )
})

it.each([
  ['1.5', 9, 1_500_000_000n],
  ['0.000000001', 9, 1n],
  ['1.50', 6, 1_500_000n],
  ['0', 9, 0n],
  ['7', 0, 7n],
  // This amount has more digits than a floating point number can represent exactly.
  ['9007199254.740993', 6, 9_007_199_254_740_993n],
  ['18446744073.709551615', 9, 18_446_744_073_709_551_615n],
])('reads %s with %i decimals as exactly %s base units', (text, decimals, expected) => {
  expect(toBaseUnits(text, decimals, 'X')).toBe(expected)
})

it.each(['', '-1', '+1', '1e3', '.5', '01', '1.0000001', '0x10', 'NaN'])(
  'refuses "%s" instead of guessing',
  (text) => {
    expect(() => toBaseUnits(text, 6, 'X')).toThrow(CliError)
  },
)

it('refuses "1,500" and names both of its readings', () => {
  expect(() => toBaseUnits('1,500', 6, 'X')).toThrow('"1,500" can mean 1500 or 1.500')
  expect(toBaseUnits('1,500.25', 6, 'X')).toBe(1_500_250_000n)
})

it('refuses more than 64 bits', () => {
  expect(() => toBaseUnits('18446744073.709551616', 9, 'SOL')).toThrow('more than any account')
})
