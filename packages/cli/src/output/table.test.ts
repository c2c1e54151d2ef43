import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fieldsTable, NARROWEST, rowsTable } from './table.ts'

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkwyTDt1v1'
const HEAD = ['symbol', 'name', 'least', 'most', 'service fee', 'network fee', 'swaps', 'mint']
const ROW = ['USDC', 'USD Coin', '0.5', '100000', '0.1 %', '0.1, new account 0.6', 'yes', MINT]

it('shows a table that is too wide as a list of names and values', () => {
  const text = rowsTable(HEAD, [ROW, ROW])
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(NARROWEST)
  for (const value of [...HEAD, ...ROW]) expect(text).toContain(value)
  expect(rowsTable(HEAD, [ROW], 200).split('\n')).toHaveLength(2)
})

it('keeps the columns of a table that fits, also with colours', () => {
  const ok = '\u001b[32mok\u001b[39m'
  const text = rowsTable(['', 'part'], [[ok, 'x'.repeat(NARROWEST - 4)]])
  expect(text.split('\n')).toHaveLength(2)
})

it('wraps a text without losing or breaking words', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(words, (list) => {
      const lines = fieldsTable([['found', list.join(' ')]]).split('\n')
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(NARROWEST)
      expect(lines.join(' ').split(/ +/).slice(1)).toEqual(list)
    }),
  )
})

it('keeps a signature on one line, so that it can be copied', () => {
  const signature = '5'.repeat(88)
  expect(fieldsTable([['deposit', signature]])).toContain(signature)
})
