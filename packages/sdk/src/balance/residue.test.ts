import fc from 'fast-check'
import { expect, it } from 'vitest'
import { drawResidue } from './residue.ts'

const units = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

it('draws at most a thousandth of the top-up, and at most half of the rest', () => {
  fc.assert(
    fc.property(units, units, (paidIn, rest) => {
      const residue = drawResidue(paidIn, rest)
      expect(residue).toBeGreaterThanOrEqual(0n)
      expect(residue * 1_000n).toBeLessThanOrEqual(paidIn)
      expect(residue * 2n).toBeLessThanOrEqual(rest)
    }),
  )
})

it('draws every value of the range', () => {
  const drawn = Array.from({ length: 4_000 }, () => drawResidue(8_000n, 1_000n))
  // Each of the nine values is drawn 444 times on average. 250 is nine standard deviations below that average.
  for (let value = 0n; value <= 8n; value += 1n) {
    expect(drawn.filter((one) => one === value).length).toBeGreaterThan(250)
  }
})
