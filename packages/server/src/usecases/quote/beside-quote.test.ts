import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rateText } from './beside-quote.ts'

/** The exact value of a decimal text, as a fraction. */
function valueOf(text: string): { readonly top: bigint; readonly bottom: bigint } {
  const [whole = '', fraction = ''] = text.split('.')
  return { top: BigInt(whole + fraction), bottom: 10n ** BigInt(fraction.length) }
}

const side = fc.oneof(
  fc.bigInt({ min: 1n, max: 10n ** 6n }),
  fc.bigInt({ min: 1n, max: 10n ** 34n }),
)

it('a rate is stated with twelve digits or more, and never above the exact rate', () => {
  fc.assert(
    fc.property(side, side, (numerator, denominator) => {
      const text = rateText({ numerator, denominator })
      expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      const { top, bottom } = valueOf(text)
      const [stated, exact] = [top * denominator, numerator * bottom]
      expect(stated).toBeLessThanOrEqual(exact)
      // At most one unit of the twelfth digit is cut off.
      expect((exact - stated) * 10n ** 11n).toBeLessThanOrEqual(exact)
    }),
  )
})

it.each([
  ['0.14955', 15n * 9_970n, 1_000_000n],
  ['3', 3n, 1n],
  ['6.666666666666', 20n, 3n],
  // A base unit of a token with 18 decimals is worth far less than a lamport.
  ['0.00000000000668449197860', 1n, 149_600_000_000n],
])('a rate of %s is stated exactly so', (text, numerator, denominator) => {
  expect(rateText({ numerator, denominator })).toBe(text.replace(/0+$/, ''))
})
