import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseWhole } from '../src/parse-whole.ts'

it('reads every whole number that a double holds exactly', () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (value) => parseWhole(`${value}`) === value))
  expect(parseWhole('9007199254740991')).toBe(9_007_199_254_740_991)
  expect(parseWhole('-9007199254740991')).toBe(-9_007_199_254_740_991)
})

it.each([
  ['nothing', ''],
  ['a fraction', '1.5'],
  ['a whole number with a point', '1.0'],
  ['an exponent', '1e3'],
  ['a leading zero', '01'],
  ['a negative zero', '-0'],
  ['a plus sign', '+1'],
  ['spaces', ' 1'],
  ['a line end', '1\n'],
  ['another base', '0x10'],
  ['other JSON', 'null'],
  ['a list', '[1]'],
  ['words', 'NaN'],
  ['the first number that equals its neighbour as a double', '9007199254740992'],
  ['the same number with a minus sign', '-9007199254740992'],
  ['a number beyond all doubles', '9'.repeat(400)],
])('refuses %s', (_name, text) => {
  expect(() => parseWhole(text)).toThrow(RangeError)
})
