import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mayHaveSymbol, NATIVE_MINT } from '../index.ts'

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
/** Characters that a person doesn't see: spaces, format characters, marks without width, and fillers. */
const HIDDEN = [
  ...[' ', '\t', '\n', '\u00a0', '\u00ad', '\u034f', '\u115f', '\u200b', '\u202e', '\u2060'],
  ...['\u2800', '\u3164', '\ufe0f', '\ufeff', '\u{1d159}', '\u{e0041}'],
]

it('only SOL is called SOL, and it is called nothing else', () => {
  for (const symbol of ['SOL', 'sol', 'Sol', 'ＳＯＬ', '𝐒𝐎𝐋', 'ſol', 'ⓈⓄⓁ']) {
    expect([symbol, mayHaveSymbol(USDC, symbol)]).toEqual([symbol, false])
  }
  for (const symbol of ['USDC', '', 'WSOL', 'SOLO', 'SO', 'jitoSOL', 'S0L']) {
    expect([symbol, mayHaveSymbol(USDC, symbol)]).toEqual([symbol, true])
    expect([symbol, mayHaveSymbol(NATIVE_MINT, symbol)]).toEqual([symbol, false])
  }
  expect(mayHaveSymbol(NATIVE_MINT, 'SOL')).toBe(true)
})

it('characters that a person does not see give no token the symbol SOL', () => {
  const hidden = fc.string({ unit: fc.constantFrom(...HIDDEN), maxLength: 3 })
  const cases = fc.tuple(
    hidden,
    fc.constantFrom('S', 's', 'Ｓ'),
    hidden,
    fc.constantFrom('O', 'o'),
    hidden,
  )
  fc.assert(
    fc.property(cases, fc.constantFrom('L', 'l'), hidden, (head, last, end) => {
      const symbol = head.join('') + last + end
      expect(mayHaveSymbol(USDC, symbol)).toBe(false)
      expect(mayHaveSymbol(NATIVE_MINT, symbol)).toBe(symbol === 'SOL')
    }),
  )
})
