import { describe, expect, it } from 'vitest'
import { readAmount } from './read-amount.ts'

describe('an amount from an agent', () => {
  it.each([
    ['1', 1_000_000_000n],
    ['0.000000001', 1n],
    ['1.5', 1_500_000_000n],
    ['1.500000000', 1_500_000_000n],
    ['18446744073.709551615', 18_446_744_073_709_551_615n],
    ['0', 0n],
  ])('%j is read exactly', (text, amount) => {
    expect(readAmount(text, 9)).toEqual({ kind: 'amount', amount })
  })

  it.each([
    '',
    ' ',
    ' 1',
    '1 ',
    '1\n',
    '1\u0000',
    '-1',
    '+1',
    '1e9',
    '1E9',
    '0x10',
    '0b1',
    '1n',
    '1_000',
    '1,5',
    '1,500',
    '1.500,25',
    "1'000",
    '1 000',
    '01',
    '1.',
    '.5',
    '1.2.3',
    'NaN',
    'Infinity',
    '١',
    '१',
    '１',
    '1٫5',
    '1．5',
    '½',
    '²',
    '1\u200b',
    '\u202e1',
    '100000000000000000000000000000',
    'lots',
  ])('%j is refused', (text) => {
    expect(readAmount(text, 9)).toEqual({ kind: 'malformed' })
  })

  it('is refused if it has more decimals than the asset', () => {
    expect(readAmount('0.0000000001', 9)).toEqual({ kind: 'too_precise' })
    expect(readAmount('1.0000000000', 9)).toEqual({ kind: 'too_precise' })
    expect(readAmount('1.5', 0)).toEqual({ kind: 'too_precise' })
  })

  it('is refused if it is more than an account can hold', () => {
    expect(readAmount('18446744073.709551616', 9)).toEqual({ kind: 'too_large' })
  })
})
